/** Rows that an earlier or a newer version of the app stored. */
import { expect, onTestFinished, test } from 'vitest';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { upcasters } from '../../../shared/schema/mutation-versions.ts';
import type { MutationBody } from '../../storage/rows.ts';
import { outcomeUnknownProblem, parseEntry, rowBodyOf } from './parse-entry.ts';

const row: MutationBody = {
  kind: 'mutation',
  client_id: '11111111-1111-4111-8111-111111111111',
  name: 'update_map',
  args: { map_id: 'map', title: 'Press' },
  recorded_at: '2026-03-01T08:00:00.000Z',
  state: 'pending',
  seq: 1,
  error: null,
  acknowledged_at: null,
};

function withRenamedTitle(): void {
  upcasters.update_map = [({ title, ...args }) => ({ ...args, name: title })];
  onTestFinished(() => {
    delete upcasters.update_map;
  });
}

test('[VERSION-1] args of an earlier version become those of the present one, and the entry keeps what was made', () => {
  withRenamedTitle();
  const args = { map_id: 'map', name: 'Press' };
  const madeAs = { version: 1, args: row.args };
  expect(parseEntry(row)).toMatchObject({ version: 2, args, made_as: madeAs });
  expect(parseEntry({ ...row, version: 1 })).toMatchObject({ version: 2, args, made_as: madeAs });
  const first = { version: 0, args: { first: true } };
  expect(parseEntry({ ...row, made_as: first })).toMatchObject({ version: 2, args, made_as: first });
});

test('[VERSION-1] [VERSION-4] args that were replaced, are present or are newer stay as they are', () => {
  const stays = (stored: MutationBody) => expect(rowBodyOf(parseEntry(stored))).toStrictEqual(stored);
  stays(row);
  withRenamedTitle();
  stays({ ...row, args: {}, is_void: true });
  stays({ ...row, version: 2 });
  stays({ ...row, version: 3 });
});

test('[OUTBOX-40] numbers begin at 1, and what is below is the order of an entry without a number', () => {
  const numberIn = (seq: number) => parseEntry({ ...row, state: 'receipt', seq });
  expect(numberIn(1)).toMatchObject({ number: { kind: 'numbered', seq: 1 } });
  expect(numberIn(0)).toMatchObject({ number: { kind: 'unnumbered', order: 0 } });
});

test('[OUTBOX-40] a refused or discarded row without a reason gets one, and keeps its own', () => {
  const error = problemOf({ code: 'map_deleted', detail: 'In the bin.' });
  for (const state of ['refused', 'discarded'] as const) {
    expect(parseEntry({ ...row, state })).toMatchObject({ state, error: outcomeUnknownProblem });
    expect(parseEntry({ ...row, state, error })).toMatchObject({ state, error });
  }
});

test('[OUTBOX-40] a row of each state is written again as it was', () => {
  const error = problemOf({ code: 'map_deleted', detail: 'In the bin.' });
  const at = '2026-03-01T09:00:00.000Z';
  const rows: MutationBody[] = [
    { ...row, withdrawn: error },
    { ...row, state: 'carried' },
    { ...row, state: 'carried', place: 3, answer: { cursor: 'cursor', outcome: 'done' }, is_void: true },
    { ...row, state: 'refused', error },
    { ...row, state: 'discarded', error },
    { ...row, state: 'discarded', error, discarded_at: at },
    { ...row, state: 'receipt', acknowledged_at: at },
  ];
  for (const stored of rows) expect(rowBodyOf(parseEntry(stored))).toStrictEqual(stored);
  const forwarded = parseEntry({ ...row, state: 'carried' });
  expect('forwardOrder' in forwarded).toBe(false);
});
