/** Tells where a recording is, as the watch shows it. */
import { combineLatest, defer, type Observable } from 'rxjs';
import { map, switchMap } from 'rxjs/operators';
import type { Gemba } from '../../../client.ts';
import { loadHandOver } from '../../shell/relay.ts';

export interface ShownCustody {
  place: 'device' | 'phone' | 'server';
  /** How many phones have the recording, as far as the device knows. */
  phones: number;
}

export const onDevice: ShownCustody = { place: 'device', phones: 0 };

/** Emits where a recording is. A receipt that a person typed counts as the server's word. */
export function shownCustody$(gemba: Gemba, session: string): Observable<ShownCustody> {
  const receipt$ = defer(loadHandOver).pipe(switchMap((part) => part.receipt$(session)));
  const carriers$ = defer(loadHandOver).pipe(switchMap((part) => part.carriers$(session)));
  return combineLatest([gemba.custody$(session), receipt$, carriers$]).pipe(
    map(([custody, receipt, { length: phones }]): ShownCustody => {
      if (custody === 'server' || receipt !== null) return { place: 'server', phones };
      return phones > 0 ? { place: 'phone', phones } : onDevice;
    }),
  );
}
