/**
 * Tells the watch where a recording is. Combines `custody$` with the receipts that a person typed, and with the phones
 * that carry the recording.
 */
import { combineLatest, defer, type Observable } from 'rxjs';
import { map, switchMap } from 'rxjs/operators';
import type { Custody, Gemba, ReceiptOutcome } from '../../../client.ts';
import { loadHandOver } from '../../shell/relay.ts';

export interface ShownCustody {
  /** `attention`: the server refused something in the push with this recording, perhaps the recording itself. */
  place: 'device' | 'phone' | 'attention' | 'server';
  /** How many phones have the recording, as far as the watch knows. */
  phones: number;
}

export const deviceOnlyCustody: ShownCustody = { place: 'device', phones: 0 };

/** Emits where a recording is. A receipt that a person typed counts as the server's answer. */
export function shownCustody$(gemba: Gemba, session: string): Observable<ShownCustody> {
  const receipt$ = defer(loadHandOver).pipe(switchMap((part) => part.receipt$(session)));
  const carriers$ = defer(loadHandOver).pipe(switchMap((part) => part.carriers$(session)));
  return combineLatest([gemba.custody$(session), receipt$, carriers$]).pipe(
    map(([custody, receipt, { length: phones }]) => ({ place: placeOf(custody, receipt, phones), phones })),
  );
}

export function placeOf(custody: Custody, receipt: ReceiptOutcome, phones: number): ShownCustody['place'] {
  if (custody === 'server' || receipt === 'arrived') return 'server';
  if (receipt === 'attention') return 'attention';
  return phones > 0 ? 'phone' : 'device';
}
