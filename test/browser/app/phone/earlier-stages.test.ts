/** The stages that a map had before they were replaced. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDesk, pane } from '../desk/desk-page.ts';
import { button, mapAction, status } from '../locators.ts';
import { openPhone } from '../recorded-runs.ts';

const app = builtApp();

const press = [
  { stage: 'Load', cycle_time_hrs: 0.5, wait_time_hrs: 2, work_type: 'waste' },
  { stage: 'Press', cycle_time_hrs: 1, work_type: 'valuable' },
  { stage: 'Inspect', cycle_time_hrs: 0.5, wait_time_hrs: 4, work_type: 'incidental' },
];
const present = [
  ['Load', 0.5, 2],
  ['Press', 1, 0],
  ['Inspect', 0.5, 4],
];

async function pressLine({ rest }: AppServer): Promise<string> {
  const { body } = await rest.send<MapRecord>('POST', '/maps', { name: 'Press line' });
  await rest.send('POST', `/maps/${body.id}/stages/replace`, { stages: press });
  return body.id;
}

const record = ({ rest }: AppServer, mapId: string) =>
  rest.send('POST', `/maps/${mapId}/recording`, { steps: [{ stage_name: 'Weld', order: 1, duration_secs: 30 }] });

const stagesOf = async ({ rest }: AppServer, mapId: string) =>
  (await rest.get<FullMap>(`/maps/${mapId}`)).stages.map((stage) => [
    stage.stage,
    stage.cycle_time_hrs,
    stage.wait_time_hrs,
  ]);

const stageRow = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Stages' }).getByRole('listitem').filter({ hasText: text });

test('[APP-501] [APP-502] stages that another device replaced are restored with their waits, offline and after a reload, with an undo', async () => {
  const server = await appServer(app.folder);
  const mapId = await pressLine(server);
  const page = await openPhone(server);
  await page.getByText('Press line').click();
  await stageRow(page, '3. Inspect').waitFor();
  await mapAction(page, 'Restore earlier stages');
  await page.getByText('This device has seen no stages of this map being replaced.').waitFor();
  await button(page, 'Close').click();

  await record(server, mapId);
  await stageRow(page, '1. Weld').waitFor();
  await server.kill();
  await page.reload();
  await mapAction(page, 'Restore earlier stages');
  await page.getByText('Kept on this device alone').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByText(/3 stages, before run 1$/).click();
  const preview = page.getByRole('list', { name: 'Earlier stages' }).getByRole('listitem');
  expect(await preview.allInnerTexts()).toEqual([
    expect.stringMatching(/Load\s+30:00.0, after 2:00:00 of waiting/),
    expect.stringMatching(/Press\s+1:00:00/),
    expect.stringMatching(/Inspect\s+30:00.0, after 4:00:00 of waiting/),
  ]);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Restore these stages').click();
  await page.getByText('Earlier stages restored').waitFor();
  await stageRow(page, '3. Inspect').waitFor();
  await button(page, 'Undo').click();
  await stageRow(page, '1. Weld').waitFor();
  await mapAction(page, 'Restore earlier stages');
  await page.getByText(/3 stages, before/).click();
  await button(page, 'Restore these stages').click();
  await stageRow(page, '3. Inspect').waitFor();
  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  expect(await stagesOf(server, mapId)).toEqual(present);
});

test('[APP-501] a desk that was closed during the replacement restores the stages from the menu of the map', async () => {
  const server = await appServer(app.folder);
  const mapId = await pressLine(server);
  const desk = await openDesk(server);
  await desk.getByText('Press line').click();
  await stageRow(desk, 'Inspect').waitFor();
  const address = desk.url();
  await desk.goto('about:blank');
  await record(server, mapId);
  await desk.goto(address);
  await stageRow(desk, 'Weld').waitFor();
  await pane(desk, 'Map').getByRole('button', { name: 'Actions' }).click();
  await desk.getByRole('menuitem', { name: 'Restore earlier stages' }).click();
  await desk.getByText(/3 stages, before run 1$/).click();
  await button(desk, 'Restore these stages').click();
  await stageRow(desk, '3. Inspect').waitFor();
  await expect.poll(() => stagesOf(server, mapId)).toEqual(present);
});
