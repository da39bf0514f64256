/** Examples of single replacements, which replacement.test.ts leaves open. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import type { ProblemCode } from '../../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../../shared/schema/mutation.ts';
import { randomIds } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, replacedPayload, type PendingEntry, type RefusedEntry } from '../entry.ts';
import { newMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import { giveNewIds } from './new-ids.ts';
import { causeOf, replaceRefused } from './replacement.ts';

const recorded_at = '2026-03-01T08:00:00.000Z';
const device = { ...newDevice(randomIds), last_seq: 9 };
const made = (name: MutationName, args: Record<string, unknown>) => ({
  client_id: device.client_id,
  name,
  args: { map_id: 'map', ...args },
  recorded_at,
  proven_at: null,
});
const refused = (seq: number, name: MutationName, args = {}, code: ProblemCode = 'map_not_found'): RefusedEntry => ({
  ...made(name, args),
  state: 'refused',
  number: { kind: 'numbered', seq },
  error: problem(code),
});
const pending = (seq: number, name: MutationName, args = {}): PendingEntry => ({
  ...made(name, args),
  state: 'pending',
  seq,
  payload: mutationPayload,
});
const content = (held: Partial<OutboxContent>): OutboxContent => ({
  device,
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...held,
});
const create = refused(2, 'create_map', { name: 'Saw' }, 'map_cap_reached');
const numbersOf = (entries: readonly PendingEntry[]) => entries.map(({ seq, name }) => `${seq} ${name}`);
const replace = (held: Partial<OutboxContent>, of: RefusedEntry, mutations = [newMutation(of)]) =>
  replaceRefused(content(held), { refused: of, mutations, recorded_at });

test('[ATTENTION-8] only later mutations depend on a refused one, directly or through another, refused ones for a missing record alone', () => {
  const dependents = [
    refused(3, 'add_stage', { stage: 'Cut', stage_id: 5 }),
    refused(4, 'update_stage', { map_id: 'other', stage_id: 5 }, 'stage_not_found'),
  ];
  const others = [
    refused(1, 'update_map', { name: 'Earlier' }),
    refused(5, 'update_map', { name: 'Wrong' }, 'validation_failed'),
    refused(6, 'update_map', { map_id: 'other', name: 'Other' }),
  ];
  const all = [others[0]!, create, ...dependents, others[1]!, others[2]!];
  const replaced = replace({ refused: all, pending: [pending(7, 'delete_map')] }, create);
  expect(replaced.content.refused).toEqual(others);
  expect(numbersOf(replaced.made)).toEqual(['10 create_map', '11 add_stage', '12 update_stage', '13 delete_map']);
  expect(replaced.content.pending[0]).toEqual({ ...pending(7, 'delete_map'), args: {}, payload: replacedPayload });
});

test('[ATTENTION-8] a mutation that was replaced already is no dependent, and without a successor there is none', () => {
  const gone = { ...pending(3, 'update_map'), payload: replacedPayload };
  expect(numbersOf(replace({ refused: [create], pending: [gone] }, create).made)).toEqual(['10 create_map']);
  const given = replace({ refused: [create, refused(3, 'update_map')] }, create, []);
  expect(given.made).toEqual([]);
  expect(given.content).toEqual(content({ refused: [refused(3, 'update_map')] }));
});

test('[CUSTODY-4] the last of the new mutations keeps the first session of a recording that gets another', () => {
  const session = (recording_session_id: string) => ({ recording_session_id, run_id: 5, steps: [] });
  const upload = refused(2, 'upload_recording', session('first'));
  const restore = newMutation({ name: 'restore_map', args: { map_id: 'map' } });
  const again = (recording_session_id: string, of = upload) => {
    const next = newMutation({ name: 'upload_recording', args: { ...upload.args, recording_session_id } });
    return replace({ refused: [of] }, of, [restore, next]).made.map(({ former_session }) => former_session);
  };
  expect(again('second')).toEqual([undefined, 'first']);
  expect(again('first')).toEqual([undefined, undefined]);
  const renamed = { ...upload, former_session: 'zeroth' };
  expect(again('second', renamed)).toEqual([undefined, 'zeroth']);
  expect(again('zeroth', renamed)).toEqual([undefined, undefined]);
  const broken = refused(2, 'upload_recording', { recording_session_id: 7 });
  const mended = newMutation({ name: 'upload_recording', args: { ...upload.args, recording_session_id: 'second' } });
  for (const next of [newMutation(broken), mended]) {
    expect(replace({ refused: [broken] }, broken, [next]).made[0]).not.toHaveProperty('former_session');
  }
});

test('[CUSTODY-4] a recording that was proven before a restore is no longer, once a person gives it another session', () => {
  const args = { recording_session_id: 'first', run_id: 5, steps: [] };
  const upload = { ...refused(2, 'upload_recording', args), proven_at: recorded_at };
  const other = newMutation({ name: 'upload_recording', args: { ...upload.args, recording_session_id: 'second' } });
  const provenAt = (next: ReturnType<typeof newMutation>) =>
    replace({ refused: [upload] }, upload, [next]).made.map(({ proven_at }) => proven_at);
  expect(provenAt(newMutation(upload))).toEqual([recorded_at]);
  expect(provenAt(other)).toEqual([null]);
});

test('[TRANSFER-29] work of another device stays known as such in what replaces it, each entry by itself', () => {
  const foreign = <Entry extends RefusedEntry | PendingEntry>(entry: Entry) => ({ ...entry, is_foreign: true });
  const isForeign = (of: RefusedEntry, dependent: PendingEntry) => {
    const restore = newMutation({ name: 'restore_map', args: { map_id: 'map' } });
    const { made: entries } = replace({ refused: [of], pending: [dependent] }, of, [restore, newMutation(of)]);
    return entries.map(({ is_foreign }) => is_foreign);
  };
  const rename = pending(3, 'update_map');
  expect(isForeign(foreign(create), rename)).toEqual([undefined, true, undefined]);
  expect(isForeign(create, foreign(rename))).toEqual([undefined, undefined, true]);
});

test('[ATTENTION-7] the cause of a refusal is the latest earlier refusal of what creates the missing record', () => {
  const change = refused(5, 'update_map');
  const first = refused(1, 'create_map');
  expect(causeOf(change, [first, create, refused(3, 'update_map')])).toBe(create);
  expect(causeOf(change, [first, refused(5, 'create_map'), refused(6, 'create_map')])).toBe(first);
  expect(causeOf(change, [refused(3, 'create_map', { map_id: 'other' })])).toBeUndefined();
  expect(causeOf({ ...change, error: problem('validation_failed') }, [create])).toBeUndefined();
  const codes = ['map_not_found', 'map_deleted', 'stage_not_found', 'run_not_found', 'stage_ids_mismatch'] as const;
  for (const code of codes) expect(causeOf({ ...change, error: problem(code) }, [create])).toBe(create);
});

test('[ATTENTION-2] [ATTENTION-9] new ids go to the refused mutation and to what depends on it, and the mark to the first alone', () => {
  const upload = refused(4, 'upload_recording', { recording_session_id: 's', run_id: 5, steps: [] }, 'id_taken');
  const taken = { ...create, error: problem('id_taken') };
  const options = { ids: randomIds, recorded_at, hasRecordCreatedBy: () => false };
  const after = giveNewIds(content({ refused: [taken, refused(3, 'update_map'), upload] }), options);
  expect(after.refused).toEqual([]);
  expect(after.pending.map(({ seq, name, is_renewed }) => [seq, name, is_renewed])).toEqual([
    [10, 'create_map', true],
    [11, 'update_map', undefined],
    [12, 'upload_recording', true],
  ]);
  const [map, change] = after.pending;
  expect(map?.args['map_id']).not.toBe('map');
  expect(change?.args['map_id']).toBe(map?.args['map_id']);

  const known = giveNewIds(content({ refused: [taken, upload] }), {
    ...options,
    hasRecordCreatedBy: (entry) => rowIdOf(entry) === rowIdOf(taken),
  });
  expect(known.pending.map(({ name }) => name)).toEqual(['upload_recording']);
  expect(known.refused).toEqual([]);
});
