/**
 * The relay of an app. A watch hands its work over to phones; a phone also carries the work of other devices. The code
 * of both parts loads when the engine has opened.
 */
import type { GembaOptions } from '../../client.ts';

export const loadHandOver = () => import('./attached-hand-over.ts').then(({ attachedHandOver }) => attachedHandOver);

export const carrier: NonNullable<GembaOptions['carrier']> = {
  attach: (...engine) =>
    void import('./attached-carrier.ts').then(({ attachedCarrier }) => attachedCarrier.attach(...engine)),
};

export const handOver: NonNullable<GembaOptions['handOver']> = {
  attach: (...engine) => void loadHandOver().then((part) => part.attach(...engine)),
  rememberKeys: (list) => loadHandOver().then((part) => part.rememberKeys(list)),
};
