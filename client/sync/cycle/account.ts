import type { Outbox } from '../../outbox/outbox.ts';
import type { Transport } from '../net/transport.ts';

/**
 * Asks the server once for the account id, and stores it. Each later push and pull names the id, so the server refuses
 * a device that got a token of another account.
 */
export async function ensureAccountId(
  { outbox, transport }: { outbox: Outbox; transport: Transport },
  signal: AbortSignal,
): Promise<string> {
  const accountId = outbox.device.account_id;
  if (accountId !== undefined) return accountId;
  const { account_id } = await transport.pull({ cursor: '', limit: 1, kinds: ['map'] }, signal);
  await outbox.identity.rememberAccount(account_id);
  return account_id;
}
