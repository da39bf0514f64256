/** Discarding a recording, and restoring it. */
import { expect, test } from 'vitest';
import type { Gemba } from '../../../client/client.ts';
import { current, device, memoryStorage } from '../../device/devices.ts';
import { offline, recordingPhone, runStepsOf, shown, step, underWay } from './recording-phone.ts';

test('[RECORDER-7] a discarded recording is restored after a restart and goes on', async () => {
  const options = { ...offline, name: 'device-discarding', storage: memoryStorage() };
  const before = await device(options);
  const recording = await before.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut', notes: 'blade' });
  await recording.discard();
  expect(await current(before.recording$)).toBeNull();
  await before.close();

  const after = await device(options);
  const [discarded] = await current(after.discardedRecordings$);
  expect(discarded).toMatchObject({ new_map_name: 'Saw', steps: [{ stage_name: 'Cut', notes: 'blade' }] });
  const restored = await after.restoreRecording(discarded!.recording_session_id);
  expect(await current(after.discardedRecordings$)).toEqual([]);
  await restored.step({ stage_name: 'Weld' });
  expect((await current(after.recording$))?.steps.map(({ stage_name }) => stage_name)).toEqual(['Cut', 'Weld']);
  const { run_id } = await restored.finish();
  expect((await current(after.run$(run_id)))?.recording_session_id).toBe(discarded!.recording_session_id);
});

test('[RECORDER-7] the time between discard and restore is in no step, also after a restart, an undo and another discard', async () => {
  const options = { name: 'device-restoring', storage: memoryStorage() };
  const { phone, recording, clock, passSecs } = await recordingPhone(options);
  passSecs(4);
  await recording.discard();
  passSecs(600);
  await phone.close();
  passSecs(600);
  const again = await device({ ...offline, ...options, clock });
  const [discarded] = await current(again.discardedRecordings$);
  expect(discarded).toMatchObject({ clock: { secs: 4, since: null }, paused_at: null });
  const restored = await again.restoreRecording(recording.recording_session_id);
  passSecs(3);
  expect(await underWay(again)).toMatchObject({ clock: { secs: 4 }, paused_at: null, undoes: { kind: 'step' } });
  await restored.step(step('Wrap'));
  await restored.undo();
  await restored.undo();
  expect(shown(await underWay(again))).toEqual([
    ['Load', 10],
    ['Press', null],
  ]);
  await restored.discard();
  passSecs(600);
  await again.restoreRecording(recording.recording_session_id);
  await again.close();
  passSecs(2);
  const last = await device({ ...offline, ...options, clock });
  const { run_id } = await (await underWay(last)).finish();
  expect(await runStepsOf(last, run_id)).toEqual([
    ['Load', 10],
    ['Press', 29],
  ]);
});

test('[RECORDER-16] nothing is restored beside a recording under way, nor what was never discarded', async () => {
  const phone = await device(offline);
  const first = await phone.startRecording({ newMap: { name: 'Saw' } });
  await first.step({ stage_name: 'Cut' });
  await first.discard();
  const second = await phone.startRecording({ newMap: { name: 'Drill' } });
  const session = first.recording_session_id;
  await expect(phone.restoreRecording(session)).rejects.toMatchObject({ code: 'recording_under_way' });
  await second.discard();
  // A recording without a step cannot be restored.
  expect((await current(phone.discardedRecordings$)).map((one) => one.recording_session_id)).toEqual([session]);
  const both = await Promise.allSettled([phone.restoreRecording(session), phone.restoreRecording(session)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await first.finish();
  await expect(phone.restoreRecording(session)).rejects.toMatchObject({ code: 'recording_ended' });
  await expect(phone.restoreRecording('never')).rejects.toMatchObject({ code: 'recording_ended' });
});

test('[RECORDER-17] the last 20 discarded recordings are kept', async () => {
  let wall_ms = Date.UTC(2026, 3, 1);
  const clock = { wallMs: () => (wall_ms += 1_000) };
  const options = { ...offline, name: 'device-discarding-often', storage: memoryStorage(), clock };
  const phone = await device(options);
  for (let index = 0; index < 22; index++) {
    const recording = await phone.startRecording({ newMap: { name: `Map ${index}` } });
    await recording.step({ stage_name: 'Cut' });
    await recording.discard();
  }
  await phone.close();
  const kept = await current((await device(options)).discardedRecordings$);
  expect(kept.map(({ new_map_name }) => new_map_name)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Map ${21 - index}`),
  );
});

test('[RECORDER-8] of the discarded recordings the last stays, also when the clock went back meanwhile', async () => {
  let wall_ms = Date.UTC(2026, 3, 1);
  const clock = { wallMs: () => (wall_ms += 1_000) };
  const options = { ...offline, name: 'device-whose-clock-went-back', storage: memoryStorage(), clock };
  const phone = await device(options);
  const discard = async (name: string) => {
    const recording = await phone.startRecording({ newMap: { name } });
    await recording.step({ stage_name: 'Cut' });
    await recording.discard();
  };
  for (let index = 0; index < 20; index++) await discard(`Map ${index}`);
  wall_ms = 0;
  await discard('Last');
  const first = async (of: Gemba) => (await current(of.discardedRecordings$))[0]?.new_map_name;
  expect(await first(phone)).toBe('Last');
  await phone.close();
  expect(await first(await device(options))).toBe('Last');
});
