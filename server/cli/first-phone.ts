/**
 * Makes the links and the QR code that pair the first phone or computer. `npm start` prints them until a device is
 * paired.
 */
import { renderUnicodeCompact } from 'uqr';
import type { DeviceKind } from '../../shared/schema/auth.ts';
import type { RunningServer } from '../app.ts';
import { createPairing } from '../auth/pair.ts';
import { curlLines, type LocalUrl } from './curl-lines.ts';
import type { PhoneUrl } from './phone-address.ts';

interface FirstPhoneOptions extends PhoneUrl {
  own: LocalUrl;
  /** Whether the served app has the views of a computer. An app that others built may have none. */
  hasDesk: boolean;
}

/**
 * Returns an empty text if the store does not have exactly one account. If a device is paired already, the text says
 * how to pair another one.
 */
export async function firstPhonePairingText(
  { store, services }: RunningServer,
  { url, isForPhones, own, hasDesk, hint }: FirstPhoneOptions,
): Promise<string> {
  const accountId = await store.onlyAccountId();
  if (accountId === undefined) return '';
  const { rows } = await store.devices(accountId, { limit: 1 });
  if (rows.length > 0) return anotherDeviceText(own);
  const pairing = createPairing(services);
  const codeFor = (device_kind: DeviceKind) =>
    pairing.newCode({ account_id: accountId, device_kind, created_by: null });
  const newCode = await codeFor('phone');
  const deskCode = hasDesk ? await codeFor('desk') : undefined;
  if (!newCode.ok) return `  The first phone cannot be paired now: ${newCode.error.detail}\n`;
  const { code, expires_in_secs } = newCode.code;
  // Browsers do not send the part of a URL after # to the server, so no log contains the pairing code.
  const link = `${url}/pair#${code}`;
  const lines = [
    `  Pair the first phone within ${expires_in_secs / 60} minutes; start again for another link:`,
    `    ${link}`,
    '',
    ...(isForPhones ? [...qrCodeLines(link), ''] : []),
  ];
  const deskText = deskCode?.ok
    ? `  Or use this computer, which takes no seat of a phone:\n    ${own.url}/desk/pair#${deskCode.code.code}\n`
    : '';
  return `${lines.join('\n')}${hint}${deskText}`;
}

/** Says how to pair another device. The same browser at another address of the app counts as another device, too. */
const anotherDeviceText = (own: LocalUrl): string =>
  [
    '  A paired device makes the code for another one, and so does an API key:',
    ...curlLines(own, { path: 'auth/pairing-code', token: 'gk_...', body: { device_kind: 'phone' } }),
    '',
  ].join('\n');

const qrCodeLines = (link: string): string[] =>
  renderUnicodeCompact(link, { border: 2 })
    .split('\n')
    .map((line) => `    ${line}`);
