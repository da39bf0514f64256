/** The words of the screen about API keys; translated with `words.ts`. */
import type { Scope } from '../../../../shared/schema/account.ts';

export const keyWords = {
  title: 'API keys',
  why: 'A key lets another program, such as an ERP, work with this account. Whoever has it may do what it allows.',
  make: 'New key',
  makeNow: 'Make the key',
  name: 'Name of the key',
  nameHint: 'Which program it is for.',
  unnamed: 'Say which program it is for.',
  may: 'What it may do',
  scopes: {
    read: 'Read everything',
    record: 'Send recordings',
    write: 'Change maps, stages and runs',
    admin: 'Manage devices and keys',
  } satisfies Record<Scope, string>,
  noScope: 'Choose what it may do.',
  madeTitle: (name: string) => `${name} is made`,
  secret: 'The key',
  once: 'Copy it now: it is shown this once.',
  copy: 'Copy',
  copied: 'Copied',
  done: 'Done',
  ends: (lastFour: string) => `gk_…${lastFour}`,
  made: (when: string, by: string | undefined) => `Made ${when}${by ? ` ${by}` : ''}`,
  by: {
    operator: 'by the operator',
    device: (name: string | undefined) => `by ${name ?? 'a device'}`,
    key: (key: { name: string; lastFour: string } | undefined) =>
      key ? `by the key ${key.name} (gk_…${key.lastFour})` : 'by another key',
  },
  used: (ago: string | null, isRevoked: boolean) =>
    ago === null ? 'never used' : `${isRevoked ? 'revoked' : 'used'} ${ago}`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: 'Programs that use it stop working at once. This cannot be taken back.',
  isRevoked: (name: string) => `${name} is revoked`,
  revoked: 'Revoked',
};
