import { expect, test } from 'vitest';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import { RequestError } from '../net/failure.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import { mutationPayload, type ForwardedEntry } from '../../outbox/model/entry.ts';
import { stopProbeOnAbort, readForwardedAnswers, type Probe } from './push-forwarded.ts';

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

const outcomeFor = async (answer: MutationAnswer, probe?: Probe) => {
  const response = { results: [answer], last_seq: 2, cursor: 'cursor' };
  const [read] = await readForwardedAnswers(Promise.resolve(response), [withdrawn], () => [], probe);
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

test('[SYNC-109] a withdrawn change is done if the server says that it has applied that very change', async () => {
  const change: MutationAnswer = { seq: 2, status: 'applied', result: { id: mapId } };
  const own = await digestOf({ ...withdrawn, payload: mutationPayload });
  const reused = new RequestError({ kind: 'reused', problem: problemOf({ code: 'sequence_reused', detail: '' }) });
  /** A server that has the mutation of this digest under the number. */
  const having =
    (digest: string): Probe =>
    async (asked) => {
      expect(asked).toMatchObject({ seq: 2, name: 'noop', args: { is_repeated: true } });
      if (asked.digest !== digest) throw reused;
      return { results: [change] };
    };
  expect(await outcomeFor(change, having(own))).toBe('done');
  expect(await outcomeFor(change, having('of a copy'))).toEqual(reason);
  expect(await outcomeFor(change)).toEqual(reason);
});

test('[SYNC-110] a server that compares no digests, or answers no question, leaves a withdrawn change to the person', async () => {
  const change: MutationAnswer = { seq: 2, status: 'applied', result: { id: mapId } };
  expect(await outcomeFor(change, async () => ({ results: [change] }))).toEqual(reason);
  expect(await outcomeFor(change, async () => ({ results: [] }))).toEqual(reason);
  let questions = 0;
  const silent: Probe = () => {
    questions++;
    return Promise.reject(new RequestError({ kind: 'unreachable', detail: 'No network.' }));
  };
  expect(await outcomeFor(change, silent)).toEqual(reason);
  expect(questions).toBe(3);
  const ended = new DOMException('The round was given up.', 'AbortError');
  await expect(outcomeFor(change, () => Promise.reject(ended))).rejects.toBe(ended);
});

test('[SYNC-114] a server that is busy decides nothing about withdrawn work, and is asked again in the next round', async () => {
  const change: MutationAnswer = { seq: 2, status: 'applied', result: { id: mapId } };
  const failing = (isNotGemba: boolean): Probe => {
    const problem = problemOf({ code: 'unavailable', detail: 'Later.' });
    const failure = { kind: 'busy', problem, retryAfterMs: 5_000, isNotGemba } as const;
    return () => Promise.reject(new RequestError(failure));
  };
  await expect(outcomeFor(change, failing(false))).rejects.toMatchObject({ failure: { retryAfterMs: 5_000 } });
  // A firewall may refuse this question for ever.
  expect(await outcomeFor(change, failing(true))).toEqual(reason);
});

test('[SYNC-113] a round that is given up decides nothing about withdrawn work', async () => {
  const change: MutationAnswer = { seq: 2, status: 'applied', result: { id: mapId } };
  const round = new AbortController();
  const failing: Probe = () => {
    round.abort();
    return Promise.reject(new RequestError({ kind: 'unreachable', detail: 'The network is gone.' }));
  };
  await expect(outcomeFor(change, stopProbeOnAbort(round.signal, failing))).rejects.toHaveProperty(
    'name',
    'AbortError',
  );
});
