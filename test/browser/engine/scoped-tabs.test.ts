/** Several tabs of a device that holds a part of the runs. */
import { expect, test } from 'vitest';
import { createBrowserDevice } from '../device.ts';
import { pageVerb } from '../in-page.ts';
import { syncNow, untilIdle } from '../verbs.ts';

interface Run {
  id: number;
}

const runsMax = 2;

const showRun = pageVerb((runId: number) => void window.gemba.run$(runId).subscribe());

const load = pageVerb((mapId: string, runIds: number[]) => window.gemba.loadRuns(mapId, runIds));

const untilOnServer = pageVerb((count: number) =>
  window.eventually(window.gemba.runsOnServer$, (found) => found.count === count),
);

const numbersHeld = pageVerb(async (mapId: string) =>
  (await window.current(window.gemba.runs$(mapId))).map(({ number }) => number),
);

test('[SCOPE-27] a tab that leads keeps what another tab shows', async () => {
  const { start, rest } = await createBrowserDevice();
  const { body } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Saw' });
  const runs: Run[] = [];
  for (let made = 0; made < 6; made++) {
    const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];
    runs.push((await rest.send<{ run: Run }>('POST', `/maps/${body.id}/recording`, { steps })).body.run);
  }
  const [shown, ...others] = runs.slice(0, 3).map(({ id }) => id);
  const { tabs } = await start();
  const leader = await tabs.open('a', { runsMax });
  await untilIdle(leader);
  const follower = await tabs.open('b', { runsMax });
  await showRun(follower, shown!);
  await load(follower, body.id, [shown!, ...others]);
  await untilOnServer(leader, 1);
  await syncNow(leader);
  await untilOnServer(follower, 4);
  expect(await numbersHeld(follower, body.id)).toEqual([6, 1]);
});
