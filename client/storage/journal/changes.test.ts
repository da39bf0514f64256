import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasEqualJson } from '../../../shared/domain/has-equal-json.ts';
import type { DeviceBody, MutationBody, OutboxBody } from '../rows.ts';
import { findRowsToAdd, toJournalChanges, changesBetween, journalRowsOf } from './changes.ts';
import { deviceRowKey, journalKeyOf } from './keys.ts';

const device: DeviceBody = {
  kind: 'device',
  client_id: randomUUID(),
  last_seq: 2,
  device_id: randomUUID(),
  token: 'secret',
  epoch: null,
};
const mutation = (state: MutationBody['state']): MutationBody => ({
  kind: 'mutation',
  client_id: device.client_id,
  seq: 1,
  name: 'create_map',
  args: {},
  recorded_at: '2026-04-01T09:30:00.000Z',
  state,
  error: null,
  acknowledged_at: null,
});

test('[STORAGE-32] the journal holds the device row without its token', () => {
  expect(toJournalChanges('outbox', [{ id: 'device', body: device }], [])).toEqual([
    [deviceRowKey, { ...device, token: null }],
  ]);
  expect(journalRowsOf(new Map<string, OutboxBody>([[deviceRowKey, device]])).get(deviceRowKey)).toMatchObject({
    token: null,
  });
});

test('[STORAGE-6] a recording leaves the journal once it is a receipt, and any row once it is removed', () => {
  const rows = [
    { id: 'sent', body: mutation('receipt') },
    { id: 'unsent', body: mutation('pending') },
  ];
  expect(toJournalChanges('outbox', rows, ['gone'])).toEqual([
    ['outbox|sent', null],
    ['outbox|unsent', mutation('pending')],
    ['outbox|gone', null],
  ]);
  const databaseRows = new Map(rows.map(({ id, body }) => [journalKeyOf('outbox', id), body]));
  expect([...journalRowsOf(databaseRows).keys()]).toEqual(['outbox|unsent']);
});

test('[STORAGE-52] a journal that is behind gets exactly the rows that differ', () => {
  const journalRows = new Map<string, unknown>([
    ['outbox|same', { seq: 1 }],
    ['outbox|other', { seq: 2, state: 'pending' }],
    ['outbox|gone', { seq: 3 }],
  ]);
  const wanted = new Map<string, unknown>([
    ['outbox|same', { seq: 1 }],
    ['outbox|other', { seq: 2, state: 'refused' }],
    ['outbox|new', { seq: 4 }],
  ]);
  const changes = changesBetween(journalRows, wanted);
  expect(changes).toEqual([
    ['outbox|other', { seq: 2, state: 'refused' }],
    ['outbox|new', { seq: 4 }],
    ['outbox|gone', null],
  ]);
  const after = new Map(journalRows);
  for (const [key, body] of changes)
    if (body === null) after.delete(key);
    else after.set(key, body);
  expect(changesBetween(after, wanted)).toEqual([]);
});

test('[STORAGE-5] before the database is recovered the journal loses no row, and its device row stays', () => {
  const journalRows = new Map<string, unknown>([
    [deviceRowKey, { last_seq: 9 }],
    ['outbox|unknown here', { seq: 9 }],
  ]);
  const wanted = new Map<string, unknown>([
    [deviceRowKey, { last_seq: 1 }],
    ['outbox|new', { seq: 1 }],
  ]);
  expect(findRowsToAdd(journalRows, wanted)).toEqual([['outbox|new', { seq: 1 }]]);
});

test.each(Object.keys({ ...device, offered_seq: 1, is_put_back: true, account_id: '', past_clients: '' }))(
  '[STORAGE-52] two device rows that differ in %s alone are different',
  (key) => {
    expect(hasEqualJson(device, { ...device })).toBe(true);
    expect(hasEqualJson(device, { ...device, [key]: 'other' })).toBe(false);
  },
);
