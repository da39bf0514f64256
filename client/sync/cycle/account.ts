/** The device learns its account before it sends or stores anything, and keeps it for good. */
import type { Outbox } from '../../outbox/outbox.ts';
import type { Transport } from '../net/transport.ts';

/** Asks once in the life of a device: with another account's token the server then refuses, and everything stays here. */
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
