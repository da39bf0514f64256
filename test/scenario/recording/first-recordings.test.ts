/** Two devices that each record a map which they see without stages. */
import { expect, onTestFinished, test } from 'vitest';
import { stagesModeOf } from '../../../client/app/recorder/finish-mode.ts';
import type { Gemba } from '../../../client/client.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { current, device, eventually, manualSync, network } from '../../device/devices.ts';
import { restClient, testServer } from '../../device/test-server.ts';

/** Records the names as the app does: the finish is what the app derives from the map that the device shows. */
async function recordInApp(gemba: Gemba, mapId: string, names: string[]): Promise<void> {
  const recording = await gemba.startRecording({ mapId });
  for (const stage_name of names) await recording.step({ stage_name });
  const recorded = (await current(gemba.recording$))!;
  const stages = stagesModeOf(recorded, await current(gemba.map$(mapId)));
  await recorded.finish(stages && { stages });
}

test('[APP-500] of two devices that record one empty map offline, neither removes the stages or waits of the other', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const nets = [network(), network()] as const;
  const open = (net: (typeof nets)[number]) => device({ url: server.url, token, ...manualSync(net) });
  const [first, second] = [await open(nets[0]), await open(nets[1])];
  const { map_id } = await first.createMap({ name: 'Press line' });
  await first.sync();
  await second.sync();
  for (const net of nets) net.online = false;

  await recordInApp(first, map_id, ['Load', 'Press']);
  const [load] = (await current(first.map$(map_id)))!.stages;
  await first.updateStage(map_id, load!.id, { wait_time_hrs: 4 });
  await recordInApp(second, map_id, ['Press', 'Pack']);
  for (const net of nets) net.online = true;
  await first.sync();
  await second.sync();
  await eventually(second.status$, ({ pending }) => pending === 0);

  const map = await restClient(server.url, token).get<FullMap>(`/maps/${map_id}`);
  expect(map.run_count).toBe(2);
  expect(map.stages).toMatchObject([
    { id: load!.id, stage: 'Load', wait_time_hrs: 4 },
    { stage: 'Press' },
    { stage: 'Pack' },
  ]);
});
