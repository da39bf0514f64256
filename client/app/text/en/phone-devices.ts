/** The texts for devices, pairing and keys. */
import type { Scope } from '../../../client.ts';
import { countText, numberText } from '../format.ts';

/** The texts of many forms and tables. */
export const formTexts = { save: 'Save', none: '–' };

export const deviceTexts = {
  pairAgain: 'Pair again',
  title: 'Devices',
  waiting: 'Waiting for the server…',
  again: 'Try again',
  kinds: { phone: 'Phone', wearable: 'Watch', desk: 'Computer' },
  pair: { phone: 'Pair a phone', wearable: 'Pair a watch', desk: 'Pair a computer' },
  thisDevice: 'This device',
  seen: (ago: string | null, isRevoked: boolean) =>
    ago === null ? 'not seen yet' : `${isRevoked ? 'revoked' : 'seen'} ${ago}`,
  paired: (when: string) => `Paired ${when}`,
  renamed: (name: string) => `Renamed to ${name}`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeThis: 'This is the device that you are using.',
  revokeText: 'It keeps its unsent work, but cannot send or receive until it is paired again with a new code.',
  revokeKeys: (keys: number | undefined) => {
    if (keys === 0) return 'It created no API keys. Its unused pairing codes stop working.';
    const which = keys === undefined ? 'The API keys' : keys === 1 ? 'The API key' : `The ${keys} API keys`;
    return `${which} that it created ${keys === 1 ? 'is' : 'are'} revoked too. Its unused pairing codes stop working.`;
  },
  isRevoked: (name: string) => `${name} is revoked`,
  revoked: 'Revoked',
  filters: {
    search: 'Search devices',
    health: 'Status',
    all: 'All',
    counted: (name: string, devices: number) => `${name} (${numberText(devices)})`,
    sort: 'Sort by',
    sorts: { health: 'Problems first', name: 'Name', seen: 'Not seen for longest', unsent: 'Most unsent changes' },
    shown: (shown: number, of: number) => `${numberText(shown)} of ${countText(of, 'device', 'devices')}`,
  },
  problems: (devices: number) =>
    devices === 0 ? 'No device has a problem' : `${countText(devices, 'device has', 'devices have')} a problem`,
};

/** Showing a pairing code for another device. */
export const pairOtherDeviceTexts = {
  /** The parts of the sentence before and after the address. */
  how: {
    phone: ['Scan this code with the camera of the other phone, or open ', ' on it and enter the code.'],
    wearable: ['On the watch, open ', ' and enter this code.'],
    desk: ['On the computer, open ', ' and enter this code. A computer takes no seat of a phone.'],
  },
  expiresIn: (time: string) => `One-time code, expires in ${time}`,
  qr: 'QR code of the pairing link',
  waiting: { phone: 'Waiting for the phone…', wearable: 'Waiting for the watch…', desk: 'Waiting for the computer…' },
  unreachable: 'The server cannot be reached now. The code still works.',
  joined: (name: string) => `${name} is paired`,
  expired: 'This code has expired.',
  newCode: 'Get a new code',
};

export const keyTexts = {
  title: 'API keys',
  why: 'A key lets another program, such as an ERP, use this account. Keep keys secret.',
  newKey: 'New key',
  create: 'Create key',
  name: 'Key name',
  nameHint: 'The name of the program that uses it.',
  unnamed: 'Enter the name of the program.',
  permissions: 'Permissions',
  scopes: {
    read: 'Read everything',
    record: 'Send recordings',
    write: 'Change maps, stages and runs',
    admin: 'Manage devices and keys',
  } satisfies Record<Scope, string>,
  noScope: 'Select at least one permission.',
  createdTitle: (name: string) => `${name} is ready`,
  secret: 'Secret key',
  shownOnce: 'Copy the key now. It is shown only once.',
  copy: 'Copy',
  copied: 'Copied',
  done: 'Done',
  lastFour: (lastFour: string) => `gk_…${lastFour}`,
  created: (when: string, by: string | undefined) => `Created ${when}${by ? ` ${by}` : ''}`,
  creators: {
    operator: 'by the operator',
    device: (name: string | undefined) => `by ${name ?? 'a device'}`,
    key: (key: { name: string; lastFour: string } | undefined) =>
      key ? `by the key ${key.name} (gk_…${key.lastFour})` : 'by another key',
  },
  used: (ago: string | null, isRevoked: boolean) =>
    ago === null ? 'never used' : `${isRevoked ? 'revoked' : 'used'} ${ago}`,
  revokeText: 'Programs that use it stop working at once. This cannot be undone.',
};
