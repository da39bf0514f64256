/** Discarding a recording, and restoring it. */
import { expect, test } from 'vitest';
import type { Gemba } from '../../../client/client.ts';
import { current, device, memoryStorage, network } from '../../device/devices.ts';

const offline = { url: 'http://127.0.0.1:1', fetch: network(false).fetch };

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
