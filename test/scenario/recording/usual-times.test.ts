/** The usual times that the recorder shows, from the runs that the device has. */
import { expect, test } from 'vitest';
import { stageMediansOf } from '../../../client/app/phone/record/stage-medians.ts';
import type { Gemba } from '../../../client/client.ts';
import { current, device } from '../../device/devices.ts';
import { offline } from './recording-phone.ts';

const record = (phone: Gemba, mapId: string, secs: Record<string, number>) =>
  phone.importRecording({
    mapId,
    recording: {
      recording_session_id: crypto.randomUUID(),
      started_at: new Date().toISOString(),
      steps: Object.entries(secs).map(([name, duration_secs], index) => ({
        stage_name: name,
        order: index + 1,
        duration_secs,
      })),
      stages: 'merge',
    },
  });

test('[APP-504] the median of the runs that count is the usual time, under the present name of the stage', async () => {
  const phone = await device(offline);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const medians = async () => Object.fromEntries(await stageMediansOf(phone, map_id));
  expect(await medians()).toEqual({});
  await record(phone, map_id, { Load: 10, Press: 20 });
  expect(await medians()).toEqual({});
  await record(phone, map_id, { Load: 12, Press: 22 });
  await record(phone, map_id, { Load: 90, Press: 21, Oil: 5 });
  expect(await medians()).toEqual({ load: 12, press: 21 });
  const { stages } = (await current(phone.map$(map_id)))!;
  expect(stages[0]!.cycle_time_hrs * 3600).toBeCloseTo(90, 6);

  await phone.updateStage(map_id, stages[0]!.id, { stage: 'Fetch' });
  const [latest] = await current(phone.runs$(map_id));
  await phone.updateRun(latest!.id, { excluded: { reason: 'The crane stood still' } });
  expect(await medians()).toEqual({ fetch: 11, press: 21 });
});

test('[APP-504] of several stages of one name none has a usual time, since a comparison adds up their times', async () => {
  const phone = await device(offline);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.replaceStages(map_id, [{ stage: 'Walk' }, { stage: 'Pick' }, { stage: 'walk' }]);
  for (const secs of [4, 6]) await record(phone, map_id, { Walk: secs, Pick: secs, 'walk ': secs });
  expect(Object.fromEntries(await stageMediansOf(phone, map_id))).toEqual({ pick: 5 });
});
