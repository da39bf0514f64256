import { expect, test } from 'vitest';
import type { Creator } from '../../../shared/schema/auth.ts';
import { planKeyRevocation, type ApiKeyRow } from './key-revocation.ts';

const key = (
  account_id: string,
  id: string,
  created_by: Creator | null,
  fields: Partial<ApiKeyRow> = {},
): ApiKeyRow => ({
  account_id,
  id,
  scopes: ['admin'],
  created_by,
  revoked_at: null,
  ...fields,
});
const device: Creator = { kind: 'device', id: 'd' };
const by = (id: string): Creator => ({ kind: 'key', id });

test('[BACKUP-12] [BACKUP-17] [BACKUP-18] the keys that devices made go, with those that these made, but for the last of an account with the scope admin', () => {
  const { revoked, kept } = planKeyRevocation([
    key('a', '1', null),
    key('a', '2', device, { revoked_at: '2026-04-01T00:00:00.000Z' }),
    key('a', '3', by('2')),
    key('a', '4', by('1')),
    key('b', '1', device),
    key('b', '2', by('1'), { scopes: ['read'] }),
    key('b', '3', device),
    key('c', '1', device),
  ]);
  const named = (keys: typeof revoked) => keys.map(({ account_id, id }) => account_id + id);
  expect([named(revoked), named(kept)]).toEqual([
    ['a3', 'b1', 'b2'],
    ['b3', 'c1'],
  ]);
});
