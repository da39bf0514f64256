import { expect, test } from 'vitest';
import type { RefusedEntry, SendableEntry } from '../outbox/model/entry.ts';
import type { ReceiptOutcome } from './receipts.ts';
import { notShownOf } from './shown-codes.ts';

const upload = (session: string, fields: object = {}) =>
  ({
    state: 'pending',
    name: 'upload_recording',
    args: { recording_session_id: session },
    ...fields,
  }) as unknown as SendableEntry;
const refusal = (session: string) => upload(session, { state: 'refused' }) as unknown as RefusedEntry;
const rename = { state: 'pending', name: 'rename_map', args: {} } as unknown as SendableEntry;
const none = { unsettled: [], refused: [], shown: [], outcomeOf: () => null };

test('[CODES-13] all is safe only if nothing is unsettled and nothing was refused', () => {
  expect(notShownOf(none)).toEqual({ arrived: 0, refused: 0, tooLarge: 0, isAllSafe: true });
  expect(notShownOf({ ...none, unsettled: [rename] })).toEqual({
    arrived: 0,
    refused: 0,
    tooLarge: 0,
    isAllSafe: false,
  });
  expect(notShownOf({ ...none, refused: [refusal('a')] })).toMatchObject({ refused: 1, isAllSafe: false });
});

test('[CODES-13] recordings that no code has are counted by what became of them', () => {
  const outcomes: Record<string, ReceiptOutcome> = { b: 'arrived', c: 'attention', d: 'attention' };
  const forwarded = upload('g', { state: 'forwarded', answer: { cursor: '1', outcome: 'done' } });
  expect(
    notShownOf({
      unsettled: [...['a', 'b', 'c', 'd', 'e', 'f'].map((session) => upload(session)), forwarded],
      refused: [refusal('d')],
      shown: ['a'],
      outcomeOf: (session) => outcomes[session] ?? null,
    }),
  ).toEqual({ arrived: 1, refused: 2, tooLarge: 2, isAllSafe: false });
});
