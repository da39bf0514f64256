/**
 * The parts of the engine by which work reaches the server through another phone. `handOver` hands over the work of
 * this watch or phone. `carrier` lets a phone carry the work of other devices. Their code loads when the engine has
 * opened.
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
