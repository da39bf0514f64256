/** The description of one picture. */
import type { Page } from 'playwright-core';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import type { RestClient } from '../../device/test-server.ts';
import type { Size } from '../app/devices.ts';

export interface ScreenStage {
  page: Page;
  url: string;
  rest: RestClient;
  /** Makes a link that the screen's own device opens. */
  link(kind: DeviceKind): Promise<string>;
}

export interface Screen {
  /** The path of the picture without its colour scheme, such as `phone/maps/bin`. */
  name: string;
  size: Size;
  /** Default: `screen`. */
  media?: 'print';
  /** Leads the page from the screen before, of the same kind of device, to this screen. */
  go(stage: ScreenStage): Promise<void>;
}
