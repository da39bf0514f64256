/** Edits and pauses of a recording under way, with restarts and other devices in between. */
import { expect, test } from 'vitest';
import { current, device, memoryStorage } from '../../device/devices.ts';
import { at, offline, recordingPhone, runStepsOf, shown, step, underWay } from './recording-phone.ts';

const undoMs = 10_000;

test('[RECORDER-25] [RECORDER-26] [RECORDER-27] [RECORDER-33] edits outlive a crash, and are undone one by one', async () => {
  const options = { name: 'device-editing', storage: memoryStorage() };
  const { phone, recording, clock, passSecs } = await recordingPhone(options);
  await recording.edit(at(await underWay(phone), 0), { stage_name: 'Take', work_type: 'waste', notes: 'Late' });
  await recording.split(at(await underWay(phone), 1), { at_secs: 5, stage_name: 'Wait' });
  await recording.moveBorder(at(await underWay(phone), 1), { secs: 2 });
  await phone.close();
  const again = await device({ ...offline, ...options, clock });
  const resumed = await underWay(again);
  expect(resumed.steps[0]).toMatchObject({ stage_name: 'Take', work_type: 'waste', notes: 'Late' });
  const edited = [
    ['Take', 10],
    ['Press', 7],
    ['Wait', 13],
  ];
  expect(shown(resumed)).toEqual([...edited, ['Pack', null]]);
  await resumed.join(at(resumed, 2));
  expect((await underWay(again)).undoes).toEqual({ kind: 'join', stage_name: 'Wait' });
  expect(shown(await underWay(again))).toEqual([...edited.slice(0, 2), ['Wait', null]]);
  for (const kind of ['join', 'border', 'split', 'edit', 'step']) {
    const { undoes, undo } = await underWay(again);
    expect(undoes?.kind).toBe(kind);
    await undo();
  }
  expect(shown(await underWay(again))).toEqual([
    ['Load', 10],
    ['Press', null],
  ]);
  passSecs(5);
  const { run_id } = await resumed.finish();
  expect(await runStepsOf(again, run_id)).toEqual([
    ['Load', 10],
    ['Press', 25],
  ]);
});

test('[RECORDER-5] [RECORDER-28] an edit with wrong fields, or of a step that is elsewhere now, changes nothing', async () => {
  const { phone, recording } = await recordingPhone();
  const before = await underWay(phone);
  const invalid = { code: 'validation_failed' };
  await expect(recording.edit(at(before, 0), { stage_name: '' })).rejects.toMatchObject(invalid);
  await expect(recording.split(at(before, 0), { at_secs: Number.NaN })).rejects.toMatchObject(invalid);
  await expect(recording.moveBorder(at(before, 0), { secs: Infinity })).rejects.toMatchObject(invalid);
  expect(shown(await underWay(phone))).toEqual(shown(before));
  await recording.join(at(before, 0));
  const refused = { code: 'tap_refused' };
  await expect(recording.edit(at(before, 1), { notes: 'Crane' })).rejects.toMatchObject(refused);
  await expect(recording.edit({ ...at(before, 0), index: 7 }, { notes: 'x' })).rejects.toMatchObject(refused);
  await recording.finish();
  await expect(recording.edit(at(before, 0), { notes: 'x' })).rejects.toMatchObject({ code: 'recording_ended' });
});

test('[RECORDER-29] [RECORDER-33] a pause outlives a crash, and its time is in no step', async () => {
  const options = { name: 'device-pausing', storage: memoryStorage() };
  const { phone, recording, clock, passSecs } = await recordingPhone(options);
  passSecs(4);
  await recording.pause();
  await phone.close();
  passSecs(600);
  const again = await device({ ...offline, ...options, clock });
  const resumed = await underWay(again);
  expect(resumed).toMatchObject({ paused_at: expect.any(String), clock: { secs: 4, since: null } });
  await resumed.resume();
  passSecs(3);
  expect(await underWay(again)).toMatchObject({ paused_at: null, clock: { secs: 4 } });
  const { run_id, map_id } = await resumed.finish();
  expect((await runStepsOf(again, run_id))?.at(-1)).toEqual(['Pack', 7]);
  expect(await current(again.run$(run_id))).toMatchObject({ total_time_secs: 37 });
  expect((await current(again.map$(map_id)))?.stages).toHaveLength(3);
});

test('[RECORDER-33] a file has the cycle before as a change and the edited recording as a draft', async () => {
  const { phone, recording, clock, passSecs } = await recordingPhone();
  const plain = await phone.exportUnsent();
  expect(plain.version).toBe(1);
  const { finished, recording: next } = await recording.nextCycle(step('Load'), { undoMs });
  passSecs(10);
  await next.step(step('Press'));
  await next.split(at(await underWay(phone), 0), { at_secs: 4 });
  await next.pause();
  const file = await phone.exportUnsent();
  expect([file.version, file.mutations.length]).toEqual([2, 1]);
  const other = await device({ ...offline, clock });
  expect(await other.importUnsent(file)).toEqual({ mutations: 1, recording: true });
  const taken = await underWay(other);
  expect(taken.paused_at).not.toBeNull();
  expect(shown(taken)).toEqual([
    ['Load', 4],
    ['Load', 6],
    ['Press', null],
  ]);
  expect(await current(other.runs$(finished.map_id))).toHaveLength(1);
});

test('[RECORDER-35] an interruption is in the run and not in the map', async () => {
  const { phone, recording, passSecs } = await recordingPhone();
  passSecs(5);
  await recording.step({ stage_name: 'Phone call', work_type: 'waste', interruption: true });
  passSecs(60);
  await recording.step(step('Pack'));
  expect((await underWay(phone)).steps.map(({ interruption }) => interruption)).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
  passSecs(5);
  const { run_id, map_id } = await recording.finish();
  expect((await runStepsOf(phone, run_id))?.slice(2)).toEqual([
    ['Pack', 5],
    ['Phone call', 60],
    ['Pack', 5],
  ]);
  const stages = (await current(phone.map$(map_id)))?.stages;
  expect(stages?.map(({ stage, order, cycle_time_hrs }) => [stage, order, Math.round(cycle_time_hrs * 3600)])).toEqual([
    ['Load', 1, 10],
    ['Press', 2, 20],
    ['Pack', 3, 10],
  ]);
});
