/** The photos of a run's steps through each change that the app makes. */
import { expect, onTestFinished, test } from 'vitest';
import {
  changeStep,
  joinWithNextStep,
  removeStep,
  splitStep,
  toRecordingSteps,
} from '../../../client/app/phone/runs/corrected-steps.ts';
import type { RunDoc, RunStep } from '../../../shared/schema/run.ts';
import { current, device, eventually } from '../../device/devices.ts';
import { restClient, testServer } from '../../device/test-server.ts';

test('[APP-505] renames, notes, splits, joins, deletions and details of a run keep the photos of its steps', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const { run_id } = await phone.importRecording({
    mapId: map_id,
    recording: {
      recording_session_id: crypto.randomUUID(),
      steps: ['Load', 'Press', 'Wait', 'Pack'].map((stage_name, index) => ({
        stage_name,
        order: index + 1,
        duration_secs: 10,
        photos: [`photo:${stage_name}`],
      })),
    },
  });
  const correct = async (change: (steps: RunStep[]) => RunStep[]) =>
    phone.correctRun(run_id, toRecordingSteps(change((await current(phone.run$(run_id)))!.steps)));

  await correct((steps) => changeStep(steps, 0, { stage_name: 'Fetch', work_type: 'valuable', notes: 'Far' }));
  await correct((steps) => splitStep(steps, 1, 4));
  await correct((steps) => joinWithNextStep(steps, 0));
  await correct((steps) => removeStep(steps, 2));
  await phone.updateRun(run_id, { name: 'First', note: 'Night shift' });
  await phone.sync();
  await eventually(phone.status$, ({ pending }) => pending === 0);
  const run = await restClient(server.url, token).get<RunDoc>(`/runs/${run_id}`);
  expect(run.steps.map(({ stage_name, duration_secs, photos }) => [stage_name, duration_secs, photos])).toEqual([
    ['Fetch', 14, ['photo:Load', 'photo:Press']],
    ['Press', 6, []],
    ['Pack', 10, ['photo:Pack']],
  ]);
  expect(run.recorded_steps?.map(({ photos }) => photos)).toEqual([
    ['photo:Load'],
    ['photo:Press'],
    ['photo:Wait'],
    ['photo:Pack'],
  ]);
});
