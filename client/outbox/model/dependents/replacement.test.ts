import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent, isGapless } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { problemOf, type CommonProblemCode } from '../../../../shared/protocol/problem.ts';
import { randomIds } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, type PendingEntry, type RefusedEntry } from '../entry.ts';
import { newMutation, type NewMutation } from '../mutation.ts';
import { settlePending } from '../settling/settlement.ts';
import { giveNewIds } from './new-ids.ts';
import { replaceRefused } from './replacement.ts';

const recorded_at = '2026-03-01T08:00:00.000Z';
const map_id = randomIds.mapId();
// The sent number exceeds every number, so all mutations of these tests count as sent.
const device = { ...newDevice(randomIds), offered_seq: Infinity };

const workOf = ({ name, args }: NewMutation) => ({
  client_id: device.client_id,
  name,
  args: { ...args },
  recorded_at,
  proven_at: null,
});
const pendingOf = (mutation: NewMutation, seq: number): PendingEntry => ({
  ...workOf(mutation),
  state: 'pending',
  seq,
  payload: mutationPayload,
});
const refusedOf = (mutation: NewMutation, seq: number, code: CommonProblemCode): RefusedEntry => ({
  ...workOf(mutation),
  state: 'refused',
  number: { kind: 'numbered', seq },
  error: problemOf({ code, detail: '' }),
});

const contentOf = (last_seq: number, held: Partial<OutboxContent>): OutboxContent => ({
  device: { ...device, last_seq },
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...held,
});

const create: NewMutation = { name: 'create_map', args: { map_id, name: 'Saw' } };
const rename: NewMutation = { name: 'update_map', args: { map_id, name: 'Big saw' } };
const upload: NewMutation = {
  name: 'upload_recording',
  args: {
    map_id,
    recording_session_id: 's',
    run_id: 2 ** 33,
    steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1 }],
  },
};
const deleteRun: NewMutation = { name: 'delete_run', args: { run_id: 2 ** 33 } };
const updateOfOtherMap: NewMutation = { name: 'update_map', args: { map_id: randomIds.mapId(), name: 'Press' } };

const sequence = ({ pending }: OutboxContent) =>
  pending.map(({ seq, name, payload }) => [seq, payload.kind === 'noop' ? 'noop' : name]);

test('[ATTENTION-1] [ATTENTION-8] what is still pending goes behind its cause too; its old number is sent without content, and forgotten', () => {
  const refused = refusedOf(create, 1, 'map_cap_reached');
  const pending = [rename, updateOfOtherMap, upload, deleteRun].map((it, index) => pendingOf(it, index + 2));
  const content = contentOf(5, { refused: [refused], pending });
  const { content: after } = replaceRefused(content, { refused, mutations: [create], recorded_at });
  expect(sequence(after)).toEqual([
    [2, 'noop'],
    [3, 'update_map'],
    [4, 'noop'],
    [5, 'noop'],
    [6, 'create_map'],
    [7, 'update_map'],
    [8, 'upload_recording'],
    [9, 'delete_run'],
  ]);
  expect(after.refused).toEqual([]);
  expect(after.device.last_seq).toBe(9);
  const error = problemOf({ code: 'validation_failed', detail: '' });
  const client = { last_seq: 5, rejections: [2, 4, 5].map((seq) => ({ seq, error })) };
  const settled = settlePending(after, { client, epoch: 'e', cursor: 'c' }, recorded_at);
  expect(settled.refused).toEqual([]);
  expect(sequence(settled).map(([seq]) => seq)).toEqual([6, 7, 8, 9]);
});

test('[ATTENTION-2] a new id is tried once: what is refused for it again waits for a person', () => {
  const reassigning = { ids: randomIds, recorded_at, hasRecordCreatedBy: () => false };
  const refused = [refusedOf(create, 1, 'id_taken'), refusedOf(rename, 2, 'map_deleted')];
  const first = giveNewIds(contentOf(2, { refused }), reassigning);
  const [made, renamedAgain] = first.pending;
  expect(made?.args['map_id']).not.toBe(map_id);
  expect(renamedAgain?.args['map_id']).toBe(made?.args['map_id']);
  const error = problemOf({ code: 'id_taken', detail: '' });
  const client = { last_seq: 3, rejections: [{ seq: 3, error }] };
  const again = giveNewIds(settlePending(first, { client, epoch: 'e', cursor: 'c' }, recorded_at), reassigning);
  expect(again.refused).toMatchObject([{ number: { seq: 3 }, error: { code: 'id_taken' } }]);
  expect(again.pending).toMatchObject([{ seq: 4 }]);
});

test('[ATTENTION-8] [OUTBOX-37] [OUTBOX-38] [OUTBOX-39] a replacement takes its dependents along in their order, gives no number twice and touches nothing else', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.nat(), (content, draw) => {
      const [cause] = content.refused.slice(draw % Math.max(1, content.refused.length));
      if (!cause) return;
      const mutations = [newMutation(cause)];
      const { content: after, made } = replaceRefused(content, { refused: cause, mutations, recorded_at });
      expect(isGapless(after)).toBe(true);
      const before = content.pending.length;
      const noops = after.pending.slice(0, before).filter((it, index) => it !== content.pending[index]);
      expect(noops.every(({ payload, args }) => payload.kind === 'noop' && Object.keys(args).length === 0)).toBe(true);
      const moved = [
        ...content.refused.filter((it) => it !== cause && !after.refused.includes(it)),
        ...content.pending.filter((it) => !after.pending.includes(it)),
      ];
      expect(made.slice(1).map(({ name }) => name)).toEqual(moved.map(({ name }) => name));
      expect(after.pending.slice(before)).toEqual(made);
      expect([after.receipts, after.discarded, after.forwarded]).toEqual([
        content.receipts,
        content.discarded,
        content.forwarded,
      ]);
    }),
  );
});
