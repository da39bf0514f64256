/** Tells where a recording is, as the watch shows it. */
import type { Observable } from 'rxjs';
import { map, switchMap } from 'rxjs/operators';
import type { Gemba } from '../../../client.ts';
import { handOver } from '../../shell/relay.ts';

export interface ShownCustody {
  place: 'device' | 'phone' | 'server';
  /** How many phones have the recording, as far as the device knows. */
  phones: number;
}

export const onDevice: ShownCustody = { place: 'device', phones: 0 };

/** Emits where a recording is. A receipt that a person typed counts as the server's word. */
export function shownCustody$(gemba: Gemba, session: string): Observable<ShownCustody> {
  const custody$ = gemba
    .custody$(session)
    .pipe(map((custody): ShownCustody => (custody === 'server' ? { place: 'server', phones: 0 } : onDevice)));
  const device = handOver();
  if (!device) return custody$;
  return custody$.pipe(
    switchMap((custody) => device.carriers$(session).pipe(map(({ length: phones }) => ({ custody, phones })))),
    switchMap(({ custody, phones }) =>
      device.receipt$(session).pipe(
        map((receipt): ShownCustody => {
          if (custody.place === 'server' || receipt !== null) return { place: 'server', phones };
          return phones > 0 ? { place: 'phone', phones } : onDevice;
        }),
      ),
    ),
  );
}
