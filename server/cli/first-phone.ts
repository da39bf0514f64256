/** Makes the text that `npm start` prints until a device is paired: a link that pairs the first phone, and its QR code. */
import { renderUnicodeCompact } from 'uqr';
import type { RunningServer } from '../app.ts';
import { createPairing } from '../auth/pair.ts';

/** Returns nothing once there is a device, or a second account, since the phone's account would be unclear. */
export async function firstPhone({ store, world }: RunningServer, publicUrl: string): Promise<string> {
  const accountId = await store.onlyAccount();
  if (accountId === undefined) return '';
  const { rows } = await store.devices(accountId, { limit: 1 });
  if (rows.length > 0) return '';
  const fields = { account_id: accountId, device_kind: 'phone', created_by: null } as const;
  const made = await createPairing({ store, world }).newCode(fields);
  if (!made.ok) return `  The first phone cannot be paired now: ${made.error.detail}\n`;
  const { code, expires_in_secs } = made.code;
  // Browsers send no server the part behind the #, so the code appears in no log.
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
