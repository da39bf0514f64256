import { expect, test } from 'vitest';
import type { EntryState, OutboxEntry, PendingEntry } from '../outbox/model/entry.ts';
import { readOutbox } from './read-outbox.ts';
import type { SyncRequest, TraceFacts } from './shapes.ts';

const at = '2026-03-01T08:00:00.000Z';

const pending: PendingEntry = {
  state: 'pending',
  seq: 2,
  client_id: 'own',
  name: 'update_map',
  args: {},
  recorded_at: at,
  payload: { kind: 'mutation' },
  proven_at: null,
};

const push = (fields: Partial<SyncRequest>): SyncRequest => ({
  at,
  kind: 'push',
  method: 'POST',
  status: 503,
  ms: 1,
  sent_bytes: 1,
  received_bytes: 1,
  error: 'unavailable',
  by: 'network',
  client_id: 'own',
  sent_seq: 2,
  ...fields,
});

function attemptsOf(entry: OutboxEntry, requests: SyncRequest[]) {
  const round = { at, ms: 1, outcome: 'waiting', error: null } as const;
  const counts = { waiting_before: 1, waiting_after: 1, records_written: 0, requests_left_out: 0 };
  const trace: TraceFacts = { is_on: true, begun_at: at, leads: true, rounds: [{ ...round, ...counts, requests }] };
  const outbox = { entries: (state: EntryState) => (state === entry.state ? [entry] : []) };
  const { entries } = readOutbox(outbox as Parameters<typeof readOutbox>[0], trace);
  return entries.map(({ attempts, last_failure }) => [attempts, last_failure]);
}

test('[DEV-1] attempts count the pushes under the client id of the mutation alone', () => {
  const others = [push({ client_id: 'earlier', sent_seq: 9, error: 'forbidden' }), push({ sent_seq: 1 })];
  expect(attemptsOf(pending, others)).toEqual([[0, null]]);
  expect(attemptsOf(pending, [push({}), ...others, push({ status: 200, error: null }), push({})])).toEqual([
    [2, 'unavailable'],
  ]);
  // A push under an earlier client id does not tell how far it went.
  const forwarded: OutboxEntry = { ...pending, state: 'forwarded', client_id: 'earlier' };
  expect(attemptsOf(forwarded, others)).toEqual([[null, null]]);
});
