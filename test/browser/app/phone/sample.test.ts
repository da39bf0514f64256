/** The sample to record on a phone of an empty account. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, finish, heading, mapAction, nextStep, status } from '../locators.ts';

const app = builtApp();

test('[APP-253] [APP-254] a phone of an empty account tries a recording, sees its times, and deletes the map', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  const offer = button(page, 'Try it: make coffee, 3 steps');
  await offer.waitFor();
  expect((await offer.boundingBox())?.height).toBeGreaterThanOrEqual(48);
  await expectNoViolationsInOneScheme(page);
  await offer.click();

  for (const name of ['Boil water', 'Grind beans', 'Brew']) {
    await nextStep(page, name).click();
    await heading(page, name).waitFor();
    await atWorkersPace(page);
  }
  await finish(page);
  await heading(page, 'Make coffee').waitFor();
  await page.getByText('1 run', { exact: true }).waitFor();
  await status(page, 'All safe on the server').waitFor();

  const [map] = await server.rest.list<MapRecord>('/maps');
  const [run] = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  const { steps } = await server.rest.get<RunDoc>(`/runs/${run!.id}`);
  expect(steps.map(({ stage_name, work_type }) => [stage_name, work_type])).toEqual([
    ['Boil water', 'incidental'],
    ['Grind beans', 'incidental'],
    ['Brew', 'valuable'],
  ]);
  const { stages } = await server.rest.get<FullMap>(`/maps/${map!.id}`);
  expect(stages.every(({ cycle_time_hrs }) => cycle_time_hrs > 0)).toBe(true);

  await mapAction(page, 'Delete');
  await heading(page, 'No maps yet').waitFor();
  await offer.waitFor();
});
