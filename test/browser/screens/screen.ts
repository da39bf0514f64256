/** What a picture of a screen is made of. */
import type { Page } from 'playwright-core';
import type { RestClient } from '../../device/test-server.ts';
import type { Size } from '../app/devices.ts';

export interface Stage {
  page: Page;
  url: string;
  rest: RestClient;
  /** To be opened by the screen's own device. */
  link(kind: 'phone' | 'wearable'): Promise<string>;
}

export interface Screen {
  name: string;
  size: Size;
  /** Leads the page there; screens of one kind of device follow each other on the same page. */
  go(stage: Stage): Promise<void>;
}
