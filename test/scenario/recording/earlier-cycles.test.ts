/** The steps of finished cycles, which a device shows and counts until the server has them. */
import { expect, test } from 'vitest';
import { current, device, eventually, memoryStorage } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { handClock, namesOf, offline, recordingPhone, step, underWay } from './recording-phone.ts';

const undoMs = 10_000;

test('[RECORDER-46] a cycle of a map without stages has the steps of the cycle before, also after a reload, until the map has them', async () => {
  const options = { name: 'device-naming', storage: memoryStorage() };
  const { clock } = handClock();
  const phone = await device({ ...offline, ...options, clock });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const first = await phone.startRecording({ mapId: map_id });
  for (const name of ['Load', 'Press']) await first.step(step(name));
  expect((await underWay(phone)).earlier_cycle).toBeNull();
  const { recording: second } = await first.nextCycle(step('Load'), { undoMs });
  await second.nextCycle(step('Load'), { undoMs, stages: 'keep' });
  const stepNames = async (one: typeof phone) =>
    (await underWay(one)).earlier_cycle?.map(({ stage_name }) => stage_name);
  expect(await stepNames(phone)).toEqual(['Load', 'Press']);
  await phone.close();
  const timers = manualTimers();
  const again = await device({ ...offline, ...options, clock: { ...clock, ...timers.clock, bootId: 'reloaded' } });
  expect(await stepNames(again)).toEqual(['Load', 'Press']);
  timers.fire(undoMs);
  timers.fire(undoMs);
  await eventually(again.recording$, (one) => one?.earlier_cycle === null);
  expect(await namesOf(again, map_id)).toEqual(['Load', 'Press']);
});

test('[RECORDER-47] the status counts the steps of finished recordings until the server has them', async () => {
  const { phone, recording, fire } = await recordingPhone();
  const stepCount = async () => (await current(phone.status$)).pending_steps;
  expect(await stepCount()).toBe(0);
  const { recording: second } = await recording.nextCycle(step('Load'), { undoMs });
  expect(await stepCount()).toBe(3);
  await second.nextCycle(step('Load'), { undoMs });
  expect(await stepCount()).toBe(4);
  fire(undoMs);
  fire(undoMs);
  await eventually(phone.recording$, (one) => one?.earlier_cycle === null);
  expect(await stepCount()).toBe(4);
});
