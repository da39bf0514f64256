/**
 * Makes the part of an engine that carries other devices' sealed requests to the server. Its code is loaded when the
 * engine has opened.
 */
import { defer } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { Carrier, CarryingEngine } from './open-carrying.ts';
import type { CarrierVerbs } from './relay/carrier-verbs.ts';

export type { Carrier } from './open-carrying.ts';

/** Makes a carrier, for the option `carrier` of `openGemba`. Its verbs wait until that engine is open. */
export function createCarrier(): Carrier {
  let open: (verbs: Promise<CarrierVerbs>) => void = () => {};
  const verbs = new Promise<CarrierVerbs>((resolve) => void (open = resolve));
  // Handles the rejection here: the verbs reject with it, too, and the engine must go on without its carrier.
  verbs.catch(() => undefined);
  return {
    attach: (engine: CarryingEngine, status$) =>
      open(import('./open-carrying.ts').then(({ openCarrying }) => openCarrying({ ...engine, status$ }))),
    carry: async (channel, options) => (await verbs).carry(channel, options),
    carrying$: defer(() => verbs).pipe(switchMap(({ carrying$ }) => carrying$)),
    readCodes: async () => (await verbs).readCodes(),
    readCodes$: defer(() => verbs).pipe(switchMap(({ readCodes$ }) => readCodes$)),
  };
}
