import { expect, test } from 'vitest';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import type { ForwardedEntry } from '../../outbox/model/entry.ts';
import { readForwardedAnswers } from './read-forwarded-answers.ts';

const reason = problemOf({ code: 'payload_too_large', detail: 'Too large.' });
const mapId = '0190a1b2-0000-7000-8000-000000000001';
const [ownRunId, otherRunId] = [2 ** 31 + 1, 2 ** 31 + 2];

/** A recording that the device withdrew, sent as a noop under its number. */
const withdrawn: ForwardedEntry = {
  state: 'forwarded',
  client_id: '11111111-1111-4111-8111-111111111111',
  seq: 2,
  name: 'upload_recording',
  args: { map_id: mapId, recording_session_id: 'session', run_id: ownRunId, steps: [] },
  recorded_at: '2026-03-01T09:00:00.000Z',
  proven_at: null,
  payload: { kind: 'noop', because: 'unsendable', reason },
};

const outcomeFor = async (answer: MutationAnswer) => {
  const response = { results: [answer], last_seq: 2, cursor: 'cursor' };
  const [read] = await readForwardedAnswers(Promise.resolve(response), [withdrawn], () => []);
  return read?.outcome;
};
const recorded = (id: number): MutationAnswer => ({
  seq: 2,
  status: 'applied',
  result: { recording_session_id: 'session', run: { id, map_id: mapId, number: 1 } },
});

test('[SYNC-66] a withdrawn recording is done if an earlier push brought it, and not if a copy brought its own end of the session', async () => {
  expect(await outcomeFor(recorded(ownRunId))).toBe('done');
  expect(await outcomeFor(recorded(otherRunId))).toEqual(reason);
  expect(await outcomeFor({ seq: 2, status: 'applied', result: { id: mapId } })).toEqual(reason);
});
