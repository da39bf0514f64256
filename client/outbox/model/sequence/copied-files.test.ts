/** Examples of files that a copy of the device exported, which the properties of importing.test.ts leave open. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import type { DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import { mutationPayload, type ForwardedEntry, type PendingEntry, type RefusedEntry } from '../entry.ts';
import { importWork } from './importing.ts';

const at = '2026-03-01T09:00:00.000Z';
const fields = {
  name: 'update_map',
  args: { map_id: 'map', name: 'A' },
  recorded_at: at,
  payload: mutationPayload,
  proven_at: null,
} as const;
const pending = (seq: number): PendingEntry => ({ ...fields, client_id: 'mine', state: 'pending', seq });
const forwarded = (client_id: string, seq: number, name = 'A'): ForwardedEntry => ({
  ...fields,
  client_id,
  state: 'forwarded',
  seq,
  args: { map_id: 'map', name },
});
const device: DeviceBody = {
  kind: 'device',
  client_id: 'mine',
  account_id: 'account',
  device_id: 'mine',
  token: null,
  epoch: null,
  last_seq: 4,
  offered_seq: 2,
};
const content = (more: Partial<OutboxContent> = {}): OutboxContent => ({
  device,
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...more,
});
const imported = (of: OutboxContent, entries: ForwardedEntry[]) =>
  importWork(of, { account_id: 'account', forwarded: entries, refused: [] }, 'new');
/** Shows each entry as the client id and number that it has now, `derived` for a computed client id. */
const shown = ({ forwarded: entries }: OutboxContent) =>
  entries.map(({ client_id, seq, args }) => `${client_id.length > 10 ? 'derived' : client_id} ${seq} ${args['name']}`);

test('[OUTBOX-37] a number that was never sent gives way to the work of a copy, and with it what lies behind', () => {
  const before = content({ pending: [pending(2), pending(3), pending(4)] });
  expect(shown(imported(before, [forwarded('mine', 3, 'B')]))).toEqual([
    'mine 2 A',
    'derived 1 A',
    'derived 2 A',
    'mine 3 B',
  ]);
  const unsent = { ...before, device: { ...device, offered_seq: 0 } };
  expect(shown(imported(unsent, [forwarded('mine', 4, 'B'), forwarded('mine', 3, 'C')]))).toEqual([
    'mine 2 A',
    'derived 1 A',
    'derived 2 A',
    'mine 4 B',
    'mine 3 C',
  ]);
});

test('[OUTBOX-37] a number that was sent keeps its work, and the work of the copy gets another', () => {
  const before = content({ pending: [pending(2), pending(3)], device: { ...device, offered_seq: 3 } });
  expect(shown(imported(before, [forwarded('mine', 2, 'B'), forwarded('mine', 3, 'C')]))).toEqual([
    'mine 2 A',
    'mine 3 A',
    'derived 1 B',
    'derived 2 C',
  ]);
  const { offered_seq: _offered, ...never } = device;
  const unsent = content({ pending: [pending(1)], device: never });
  expect(shown(imported(unsent, [forwarded('mine', 1, 'B')]))).toEqual(['derived 1 A', 'mine 1 B']);
});

test('[OUTBOX-37] [OUTBOX-39] of a client id in the file what lies before the first clash keeps its numbers', () => {
  const before = content({ forwarded: [forwarded('theirs', 2)] });
  const file = [forwarded('theirs', 1, 'B'), forwarded('theirs', 2, 'C'), forwarded('theirs', 3, 'D')];
  expect(shown(imported(before, [...file, forwarded('others', 2, 'E')]))).toEqual([
    'theirs 2 A',
    'theirs 1 B',
    'derived 1 C',
    'derived 2 D',
    'others 2 E',
  ]);
});

test('[OUTBOX-37] an entry is known by its number, its name and its args, in whatever order the args are', () => {
  const before = content({ forwarded: [forwarded('theirs', 1)] });
  const same = { ...forwarded('theirs', 1), args: { name: 'A', map_id: 'map' } };
  expect(imported(before, [same])).toEqual(before);
  const renamed = { ...same, name: 'create_map' } as const;
  expect(shown(imported(before, [renamed]))).toEqual(['theirs 1 A', 'derived 1 A']);
});

test('[OUTBOX-37] a file brings its account to a device that has none, and its refusals without numbers', () => {
  const { account_id: _account, ...ownerless } = device;
  const entry: RefusedEntry = {
    client_id: 'theirs',
    name: 'update_map',
    args: { map_id: 'map' },
    recorded_at: at,
    state: 'refused',
    number: { kind: 'numbered', seq: 5 },
    error: problem('map_deleted'),
    proven_at: null,
  };
  const file = { account_id: 'account', forwarded: [], refused: [entry] };
  const after = importWork(content({ device: ownerless }), file, 'new');
  expect(after.device).toEqual(device);
  expect(after.refused).toEqual([
    { ...entry, client_id: 'mine', origin: 'theirs|5', number: { kind: 'unnumbered', order: 0 } },
  ]);
  const unowned = { account_id: undefined, forwarded: [], refused: [] };
  expect(importWork(content(), unowned, 'new').device).toStrictEqual(device);
});

test('[OUTBOX-39] what a copy made after work that is pending here stays behind it, in the same file or in a later one', () => {
  const before = content({ pending: [pending(3)] });
  const [copied, later] = [{ ...forwarded('mine', 3), args: pending(3).args }, forwarded('copy', 1, 'B')];
  for (const file of [
    { forwarded: [copied, later], known: [] },
    { forwarded: [later], known: [copied] },
  ]) {
    const after = importWork(before, { account_id: 'account', refused: [], ...file }, 'new');
    expect(shown(after)).toEqual(['mine 3 A', 'copy 1 B']);
    expect(after.pending).toEqual([]);
  }
  const unrelated = importWork(before, { account_id: 'account', refused: [], forwarded: [later] }, 'new');
  expect(unrelated.pending).toEqual(before.pending);
});
