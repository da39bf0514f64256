/**
 * Makes the part of an engine that carries other devices' sealed requests to the server. Its code is loaded when the
 * engine has opened.
 */
import { defer } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { Carrier, CarryingEngine } from './open-carrying.ts';
import type { CarrierVerbs } from './relay/carrier-verbs.ts';

export type { Carrier } from './open-carrying.ts';

/** Makes a carrier, for the option `carrier` of `openGemba`. The verbs of a carrier wait until its engine is open. */
export function createCarrier(): Carrier {
  let open: (verbs: Promise<CarrierVerbs>) => void = () => {};
  const verbs = new Promise<CarrierVerbs>((resolve) => void (open = resolve));
  // Marks a rejection as handled, so that the engine goes on without its carrier. Each verb rejects, too.
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
