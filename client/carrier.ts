/** Makes the part of an engine that carries sealed requests of other devices. An app that does not carry loads none of it. */
import { defer } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import { openCarrying, type Carrier } from './open-carrying.ts';

export type { Carrier } from './open-carrying.ts';

/** Pass the carrier to `openGemba` as `carrier`. Its verbs wait until that engine is open. */
export function createCarrier(): Carrier {
  let open: (engine: Parameters<typeof openCarrying>[0]) => void = () => {};
  const verbs = new Promise<Parameters<typeof openCarrying>[0]>((resolve) => void (open = resolve)).then(openCarrying);
  // Its verbs tell a failure; an engine whose carrier nobody uses goes on.
  verbs.catch(() => undefined);
  return {
    attach: (engine, status$) => open({ ...engine, status$ }),
    carry: async (channel) => (await verbs).carry(channel),
    carrying$: defer(() => verbs).pipe(switchMap(({ carrying$ }) => carrying$)),
  };
}
