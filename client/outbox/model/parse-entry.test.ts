import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import type { MutationBody } from '../../storage/rows.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { entriesOf } from './content.ts';
import { rowBodyOf, parseEntry } from './parse-entry.ts';

test('[OUTBOX-40] an entry is the same after it was a row, and a row after it was an entry', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      for (const entry of entriesOf(content)) {
        const row = rowBodyOf(entry);
        expect(parseEntry(row)).toStrictEqual(entry);
        expect(rowBodyOf(parseEntry(row))).toStrictEqual(row);
      }
    }),
  );
});

const made = {
  kind: 'mutation',
  client_id: '11111111-1111-4111-8111-111111111111',
  name: 'create_map',
  args: {},
  recorded_at: '2026-03-01T08:00:00.000Z',
  error: null,
  acknowledged_at: null,
} as const;
const error = problemOf({ code: 'map_deleted', detail: 'In the bin.' });

test.each<[string, MutationBody, object]>([
  [
    'a number of 0 or less',
    { ...made, state: 'refused', seq: -2, error },
    { number: { kind: 'unnumbered', order: -2 } },
  ],
  ['a number', { ...made, state: 'refused', seq: 2, error }, { number: { kind: 'numbered', seq: 2 } }],
  [
    'work that was replaced',
    { ...made, state: 'pending', seq: 2, is_void: true },
    { payload: { because: 'replaced' } },
  ],
  ['work that cannot be sent', { ...made, state: 'pending', seq: 2, withdrawn: error }, { payload: { reason: error } }],
  [
    'work under another client id',
    { ...made, state: 'carried', seq: 2, place: 3 },
    { state: 'forwarded', forwardOrder: 3 },
  ],
  [
    'a refusal without a reason',
    { ...made, state: 'refused', seq: 2 },
    { error: { title: 'The outcome is not known' } },
  ],
])('[OUTBOX-40] a stored row says %s', (_what, row, entry) => {
  expect(parseEntry(row)).toMatchObject(entry);
});

test('[OUTBOX-40] a field that a newer version of the app wrote stays in the row', () => {
  const row = { ...made, state: 'pending', seq: 2, from_the_future: { a: 1 } } as MutationBody;
  expect(rowBodyOf(parseEntry(row))).toEqual(row);
});
