/** Examples of single pulls, which the properties of apply-pull.test.ts leave open. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import { runOf, toRunSteps } from '../../../../shared/domain/run.ts';
import { randomIds } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import * as returnedRunsModule from '../dependents/returned-runs.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, type PendingEntry, type RefusedEntry } from '../entry.ts';
import { applyPull, hasRefusedRunChange, willAssignNumbers } from './apply-pull.ts';
import type { PulledState } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const serverNow = '2026-03-01T10:00:00.000Z';
const device = { ...newDevice(randomIds), epoch: 'epoch', last_seq: 3, offered_seq: 3 };
const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];
const run = runOf(
  {
    id: 7,
    mapId: 'm',
    number: 1,
    recordingSessionId: 's',
    deviceId: null,
    start: { started_at: null },
    createdAt: now,
  },
  toRunSteps(steps),
);

const made = { client_id: device.client_id, recorded_at: now, proven_at: null };
const taken: RefusedEntry = {
  ...made,
  name: 'create_map',
  args: { map_id: 'map', name: 'Saw' },
  state: 'refused',
  number: { kind: 'numbered', seq: 1 },
  error: problem('id_taken'),
};
const correction: RefusedEntry = {
  ...taken,
  name: 'correct_run',
  args: { run_id: 7, steps: [{ ...steps[0]!, stage_name: 'Saw' }] },
  error: problem('run_not_found'),
};
const upload: PendingEntry = {
  ...made,
  name: 'upload_recording',
  args: { map_id: 'map', recording_session_id: 's', steps },
  state: 'pending',
  seq: 3,
  payload: mutationPayload,
};
const content = (held: Partial<OutboxContent>): OutboxContent => ({
  device,
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...held,
});
const pulled = (more: Partial<PulledState> = {}): PulledState => ({
  client: undefined,
  epoch: 'epoch',
  cursor: 'cursor',
  ...more,
});
const options = { ids: randomIds, now, serverNow };

test('[RUN-14] a change of a run that the server lacks is one refusal among others', () => {
  expect(hasRefusedRunChange(content({ refused: [taken, correction] }))).toBe(true);
  expect(hasRefusedRunChange(content({ refused: [taken] }))).toBe(false);
});

test('[OUTBOX-33] [ATTENTION-2] a pull assigns numbers for a new epoch, an earlier token and a taken id, and else for none', () => {
  const willAssign = (held: Partial<OutboxContent>, state: Partial<PulledState> = {}) =>
    willAssignNumbers(content(held), pulled(state), { now, serverNow });
  expect(willAssign({ pending: [upload], refused: [correction] })).toBe(false);
  expect(willAssign({}, { epoch: 'other' })).toBe(true);
  expect(willAssign({ device: { ...device, epoch: null } }, { epoch: 'other' })).toBe(false);
  expect(willAssign({}, { mustLeaveClientId: true })).toBe(true);
  expect(willAssign({ refused: [correction, taken] })).toBe(true);
  expect(willAssign({ refused: [{ ...taken, is_renewed: true }] })).toBe(false);
});

test('[RUN-14] a pull assigns numbers for a run that is there again, where the device looks for it', () => {
  const refused = content({ refused: [correction] });
  const findRun = (id: number) => (id === 7 ? run : undefined);
  const times = { now, serverNow };
  expect(willAssignNumbers(refused, pulled({ findRun }), { ...times, returnedRunsModule })).toBe(true);
  expect(willAssignNumbers(refused, pulled({ findRun: () => undefined }), { ...times, returnedRunsModule })).toBe(
    false,
  );
  expect(willAssignNumbers(refused, pulled(), { ...times, returnedRunsModule })).toBe(false);
  expect(willAssignNumbers(refused, pulled({ findRun }), times)).toBe(false);

  const after = applyPull(refused, pulled({ findRun }), { ...options, returnedRunsModule });
  expect(after.refused).toEqual([]);
  expect(after.pending).toMatchObject([{ name: 'correct_run', args: correction.args, seq: 4 }]);
  for (const waiting of [
    applyPull(refused, pulled(), { ...options, returnedRunsModule }),
    applyPull(refused, pulled({ findRun }), options),
  ]) {
    expect(waiting).toEqual(refused);
  }
});

test('[OUTBOX-33] a pull of the same epoch keeps the client id, one of another sends all again, and the epoch is stored', () => {
  const held = content({ pending: [upload] });
  expect(applyPull(held, pulled(), options)).toEqual(held);
  const fresh = { ...held, device: { ...device, epoch: null } };
  expect(applyPull(fresh, pulled(), options)).toEqual(held);

  const restored = applyPull(held, pulled({ epoch: 'other' }), options);
  expect(restored.device).toMatchObject({ epoch: 'other', last_seq: 1 });
  expect(restored.device.client_id).not.toBe(device.client_id);
  expect(restored.pending).toMatchObject([{ client_id: restored.device.client_id, seq: 1 }]);

  const paired = applyPull(held, pulled({ mustLeaveClientId: true }), options);
  expect(paired.device).toMatchObject({ epoch: 'epoch', last_seq: 0 });
  expect(paired.pending).toEqual([]);
  expect(paired.forwarded).toMatchObject([{ client_id: device.client_id, seq: 3 }]);
});

test('[ATTENTION-2] [ATTENTION-10] a taken id gets a new one, unless the server has the record of this mutation', () => {
  const held = content({ refused: [taken] });
  expect(applyPull(held, pulled(), options).pending).toMatchObject([{ name: 'create_map', seq: 4, is_renewed: true }]);
  const known = applyPull(held, pulled({ hasRecordCreatedBy: () => true }), options);
  expect(known).toEqual(content({}));
});

test('[OUTBOX-6] a receipt has the time of the server, and without it that of the device', () => {
  const client = { last_seq: 3, rejections: [] };
  const provenAt = (times: { serverNow: string | undefined }) =>
    applyPull(content({ pending: [upload] }), pulled({ client }), { ...options, ...times }).receipts[0]?.proven_at;
  expect(provenAt({ serverNow })).toBe(serverNow);
  expect(provenAt({ serverNow: undefined })).toBe(now);
});
