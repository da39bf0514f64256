/** Examples of answers that the server forgot, which the property of forwarded-answers.test.ts seldom draws. */
import { expect, test } from 'vitest';
import { randomIds } from '../../../core/ids.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, replacedPayload, type ForwardedEntry } from '../entry.ts';
import { withForwardedAnswers } from './forwarded-answers.ts';

const upload: ForwardedEntry = {
  client_id: 'theirs',
  name: 'upload_recording',
  args: { map_id: 'map', recording_session_id: 'session', steps: [] },
  recorded_at: '2026-03-01T09:00:00.000Z',
  state: 'forwarded',
  seq: 1,
  payload: mutationPayload,
  proven_at: null,
};
const change: ForwardedEntry = { ...upload, name: 'update_map', seq: 2 };
const replaced: ForwardedEntry = { ...upload, seq: 3, payload: replacedPayload };
const other: ForwardedEntry = { ...upload, seq: 4 };

test('[SYNC-35] a recording whose answer is forgotten gets another number, and a change or a replaced recording keeps its own', () => {
  const before = {
    device: newDevice(randomIds),
    pending: [],
    forwarded: [upload, change, replaced, other],
    refused: [],
    receipts: [],
    discarded: [],
  };
  const answers = [upload, change, replaced].map((entry) => ({ entry, outcome: 'forgotten' as const }));
  const after = withForwardedAnswers(before, answers, 'cursor');
  const answer = { cursor: 'cursor', outcome: 'forgotten' };
  const { client_id } = after.forwarded[0]!;
  expect(client_id).not.toBe('theirs');
  expect(after.forwarded).toStrictEqual([
    { ...upload, client_id, origin: 'theirs|1' },
    { ...change, answer },
    { ...replaced, answer },
    other,
  ]);
});
