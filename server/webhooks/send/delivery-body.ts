/** Makes the body of a delivery: `{ type, timestamp, data }`, as Standard Webhooks recommends. */
import type { AccountEvent } from '../../../shared/schema/integration/account-event.ts';

const bodyBytesMax = 20 * 1024;

/** Leaves out a subject's record that is too large. The endpoint can read the record by its id. */
export function deliveryBody(event: AccountEvent): string {
  const bodyOf = (data: AccountEvent) => JSON.stringify({ type: event.type, timestamp: event.created_at, data });
  const whole = bodyOf(event);
  if (Buffer.byteLength(whole) <= bodyBytesMax) return whole;
  const { record: _tooLarge, ...subject } = event.subject;
  return bodyOf({ ...event, subject });
}
