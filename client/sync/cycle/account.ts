/** Finds out the device's account before the device sends or stores anything. */
import type { Outbox } from '../../outbox/outbox.ts';
import type { Transport } from '../net/transport.ts';

/**
 * Asks the server once and stores the account for good. Every request names it, so if the device later gets the token of
 * another account, the server refuses its requests and the work stays on the device.
 */
export async function accountOf(
  { outbox, transport }: { outbox: Outbox; transport: Transport },
  signal: AbortSignal,
): Promise<string> {
  const known = outbox.device.account_id;
  if (known !== undefined) return known;
  const { account_id } = await transport.pull({ cursor: '', limit: 1, kinds: ['map'] }, signal);
  await outbox.identity.rememberAccount(account_id);
  return account_id;
}
