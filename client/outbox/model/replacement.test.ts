import { expect, test } from 'vitest';
import { problemOf, type ProblemCode } from '../../../shared/protocol/problem.ts';
import { randomIds } from '../../core/ids.ts';
import type { DeviceBody, MutationBody } from '../../storage/rows.ts';
import type { NewMutation } from './mutation.ts';
import { renewed } from './renewal.ts';
import { replaced, type Appending } from './replacement.ts';
import type { OutboxContent } from './content.ts';
import { settled } from './settlement.ts';

const client_id = randomIds.uuid();
const recorded_at = '2026-03-01T08:00:00.000Z';
const map_id = randomIds.mapId();

const bodyOf = (mutation: NewMutation, seq: number, code?: ProblemCode): MutationBody => ({
  kind: 'mutation',
  client_id,
  seq,
  name: mutation.name,
  args: { ...mutation.args },
  recorded_at,
  state: code ? 'refused' : 'pending',
  error: code ? problemOf({ code, detail: '' }) : null,
  acknowledged_at: null,
});

const append: Appending = (device, mutations) => ({
  device: { ...device, last_seq: device.last_seq + mutations.length },
  bodies: mutations.map((mutation, index) => bodyOf(mutation, device.last_seq + 1 + index)),
});

function contentOf(bodies: MutationBody[]): OutboxContent {
  const last_seq = bodies.at(-1)!.seq;
  // All that is made here is offered, too.
  const offered_seq = Infinity;
  const device: DeviceBody = {
    kind: 'device',
    client_id,
    last_seq,
    offered_seq,
    device_id: client_id,
    token: null,
    epoch: null,
  };
  const inState = (state: MutationBody['state']) => bodies.filter((body) => body.state === state);
  return { device, pending: inState('pending'), refused: inState('refused'), receipts: [], discarded: [], carried: [] };
}

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
const elsewhere: NewMutation = { name: 'update_map', args: { map_id: randomIds.mapId(), name: 'Press' } };

const sequence = ({ pending }: OutboxContent) =>
  pending.map(({ seq, name, is_void }) => [seq, is_void ? 'void' : name]);

test('[ATTENTION-1] [ATTENTION-8] what is still pending goes behind its cause too; its old number is sent without content, and forgotten', () => {
  const refused = bodyOf(create, 1, 'map_cap_reached');
  const content = contentOf([
    refused,
    ...[rename, elsewhere, upload, deleteRun].map((it, index) => bodyOf(it, index + 2)),
  ]);
  const after = replaced(content, { refused, mutations: [create], append });
  expect(sequence(after)).toEqual([
    [2, 'void'],
    [3, 'update_map'],
    [4, 'void'],
    [5, 'void'],
    [6, 'create_map'],
    [7, 'update_map'],
    [8, 'upload_recording'],
    [9, 'delete_run'],
  ]);
  expect(after.refused).toEqual([]);
  expect(after.device.last_seq).toBe(9);
  const error = problemOf({ code: 'validation_failed', detail: '' });
  const client = { last_seq: 5, rejections: [2, 4, 5].map((seq) => ({ seq, error })) };
  const told = settled(after, { client, epoch: 'e', cursor: 'c' }, recorded_at);
  expect(told.refused).toEqual([]);
  expect(sequence(told).map(([seq]) => seq)).toEqual([6, 7, 8, 9]);
});

test('[ATTENTION-2] a new id is tried once: what is refused for it again waits for a person', () => {
  const renewal = { ids: randomIds, append, stands: () => false };
  const first = renewed(contentOf([bodyOf(create, 1, 'id_taken'), bodyOf(rename, 2, 'map_deleted')]), renewal);
  const [made, renamedAgain] = first.pending;
  expect(made?.args['map_id']).not.toBe(map_id);
  expect(renamedAgain?.args['map_id']).toBe(made?.args['map_id']);
  const error = problemOf({ code: 'id_taken', detail: '' });
  const client = { last_seq: 3, rejections: [{ seq: 3, error }] };
  const again = renewed(settled(first, { client, epoch: 'e', cursor: 'c' }, recorded_at), renewal);
  expect(again.refused).toMatchObject([{ seq: 3, error: { code: 'id_taken' } }]);
  expect(again.pending).toMatchObject([{ seq: 4 }]);
});
