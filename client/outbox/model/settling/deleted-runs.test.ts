/** The receipts of runs that a person deleted: sent again after a restore, they would bring the runs back. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import { randomIds } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, type ForwardedEntry, type PendingEntry } from '../entry.ts';
import { applyPull } from './apply-pull.ts';
import { isChainVerified, type PulledState } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const device = { ...newDevice(randomIds), epoch: 'epoch', last_seq: 1, offered_seq: 1 };
const made = { recorded_at: now, proven_at: null, payload: mutationPayload };
const answer = { cursor: 'earlier', outcome: 'done' } as const;

const recording: ForwardedEntry = {
  ...made,
  name: 'upload_recording',
  args: { map_id: 'map', run_id: 7, recording_session_id: 'session', steps: [] },
  state: 'forwarded',
  client_id: 'theirs',
  seq: 1,
  answer,
};
const deletion = { ...made, name: 'delete_run' as const, args: { run_id: 7 } };
const ownDeletion: PendingEntry = { ...deletion, state: 'pending', client_id: device.client_id, seq: 1 };
const theirDeletion: ForwardedEntry = { ...deletion, state: 'forwarded', client_id: 'theirs', seq: 2 };

/** Counts the receipts after a pull that settles the recording by its answer. */
function receiptsAfter(held: Partial<OutboxContent>, client?: Partial<PulledState['client']>): number {
  const content = { device, pending: [], forwarded: [], refused: [], receipts: [], discarded: [], ...held };
  const progress = client && { last_seq: 1, acked_seq: 0, rejections: [], ...client };
  const pulled = { client: progress, epoch: 'epoch', cursor: 'later' };
  return applyPull(content, pulled, { ids: randomIds, now, serverNow: now }).receipts.length;
}

test('[OUTBOX-44] a receipt goes with a deletion that is done, and stays beside one that is pending or refused', () => {
  const error = problem('forbidden');
  const own = { forwarded: [recording], pending: [ownDeletion] };
  expect(receiptsAfter(own)).toBe(1);
  expect(receiptsAfter(own, { rejections: [{ seq: 1, error }] })).toBe(1);
  expect(receiptsAfter(own, {})).toBe(0);

  const forwarded = (outcome: 'done' | typeof error) => ({
    forwarded: [recording, { ...theirDeletion, answer: { ...answer, outcome } }],
  });
  expect(receiptsAfter({ forwarded: [recording, theirDeletion] })).toBe(1);
  expect(receiptsAfter(forwarded(error))).toBe(1);
  expect(receiptsAfter(forwarded('done'))).toBe(0);
});

test('[OUTBOX-38] no chain of a client is verified before the server has a record of the client', () => {
  expect(isChainVerified(undefined, { proven_seq: 1 })).toBe(false);
});
