/** What `npm start` prints as long as no device is paired: a link that pairs the first phone, also to be scanned. */
import { renderUnicodeCompact } from 'uqr';
import type { RunningServer } from '../app.ts';
import { createPairing } from '../auth/pair.ts';

/** Empty once there is a device, or a second account: which of them would the phone belong to? */
export async function firstPhone({ store, world }: RunningServer, publicUrl: string): Promise<string> {
  const accountId = await store.onlyAccount();
  if (accountId === undefined) return '';
  const { rows } = await store.devices(accountId, { limit: 1 });
  if (rows.length > 0) return '';
  const fields = { account_id: accountId, device_kind: 'phone', created_by: null } as const;
  const made = await createPairing({ store, world }).newCode(fields);
  if (!made.ok) return `  The first phone cannot be paired now: ${made.error.detail}\n`;
  const { code, expires_in_secs } = made.code;
  // Behind the # a code is sent to no server, and stands in no log.
  const link = `${publicUrl}/pair#${code}`;
  const lines = [
    `  Pair the first phone within ${expires_in_secs / 60} minutes; start again for another link:`,
    `    ${link}`,
    '',
    ...renderUnicodeCompact(link, { border: 2 })
      .split('\n')
      .map((line) => `    ${line}`),
    '',
  ];
  return lines.join('\n');
}
