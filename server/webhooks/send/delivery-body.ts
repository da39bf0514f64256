/** Makes the body of a delivery: `{ type, timestamp, data }`, as Standard Webhooks recommends. */
import type { AccountEvent } from '../../../shared/schema/integration/account-event.ts';

const bodyBytesMax = 20 * 1024;

/** Leaves out the record of a subject that is too large: its endpoint reads it by its id. */
export function deliveryBody(event: AccountEvent): string {
  const bodyOf = (data: AccountEvent) => JSON.stringify({ type: event.type, timestamp: event.created_at, data });
  const whole = bodyOf(event);
  if (Buffer.byteLength(whole) <= bodyBytesMax) return whole;
  const { record: _tooLarge, ...subject } = event.subject;
  return bodyOf({ ...event, subject });
}
