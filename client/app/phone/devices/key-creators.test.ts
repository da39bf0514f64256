import { beforeAll, expect, test } from 'vitest';
import type { ApiKey, PairedDevice } from '../../../client.ts';
import { loadOnDemandTexts } from '../../text/phone-on-demand.ts';
import { countKeysRevokedWith, keyCreatorText } from './key-creators.ts';

beforeAll(loadOnDemandTexts);

const key = (id: string, created_by: ApiKey['created_by'], fields: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: `Key ${id}`,
  scopes: ['read'],
  last_four: `..${id}`.padStart(4, '.'),
  created_at: '2026-04-01T09:30:00.000Z',
  created_by,
  last_used_at: null,
  revoked_at: null,
  ...fields,
});
const device = { kind: 'device', id: 'd' } as const;
const phone = { id: 'd', name: 'Phone of hall 2' } as PairedDevice;
const revoked = { revoked_at: '2026-04-02T09:30:00.000Z' };

test('[APP-110] a key tells in words who made it', () => {
  const keys = [key('2', { kind: 'key', id: '1' }), key('1', device)];
  expect(keys.map((one) => keyCreatorText(one, keys, [phone]))).toEqual([
    'by the key Key 1 (gk_…...1)',
    'by Phone of hall 2',
  ]);
  expect(keyCreatorText(key('3', null), keys, [])).toBe('by the operator');
  expect(keyCreatorText(key('3', device), keys, [])).toBe('by a device');
  expect(keyCreatorText(key('3', { kind: 'key', id: 'gone' }), keys, [])).toBe('by another key');
  expect(keyCreatorText({ ...key('3', null), created_by: undefined } as unknown as ApiKey, keys, [])).toBeUndefined();
});

test('[APP-111] the keys that go with a device are those that it made, directly or not, but for the last that manages the account', () => {
  const byKey = (id: string) => ({ kind: 'key', id }) as const;
  const admin = { scopes: ['admin' as const] };
  const made = [key('4', byKey('2')), key('3', byKey('1')), key('2', device, revoked), key('1', null, admin)];
  expect(countKeysRevokedWith(made, 'd')).toBe(1);
  expect(countKeysRevokedWith(made, 'other')).toBe(0);
  const all = [key('3', byKey('1'), admin), key('2', byKey('1')), key('1', device, admin)];
  expect(countKeysRevokedWith(all, 'd')).toBe(2);
});
