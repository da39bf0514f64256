/** The desk at the edges of its sizes. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice } from '../devices.ts';
import { uploadRecordings } from '../recorded-runs.ts';
import { openDesk, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

test('[APP-476] the boxes of a map with many stages stand in one line that scrolls, with one slider', async () => {
  const server = await appServer(app.folder);
  const steps = Array.from({ length: 60 }, (_, index) => ({ stage_name: `Seam ${index + 1}`, duration_secs: 20 }));
  const { mapId } = await uploadRecordings(server, steps);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  const boxes = page.locator('.pane-overview .ladder-box');
  await boxes.first().waitFor();
  const tops = await boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  expect(await page.getByRole('slider').count()).toBe(1);
  await page.getByRole('slider').fill('60');
  await page
    .locator('.pane-overview')
    .getByRole('button', { name: /^Seam 60/ })
    .waitFor();
});

test('[APP-477] in German at 900 × 700 the number of a run is whole', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...runsWithOutlier, ...runsWithOutlier);
  const { page } = await openDevice({ width: 900, height: 700 }, { languages: ['de-DE'] });
  await page.goto(await server.newLink('desk'));
  for (const name of ['Koppeln', 'Beitreten']) await page.getByRole('button', { name }).click();
  await page.getByRole('list', { name: 'Prozesse' }).waitFor();
  await keptForOffline(page);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  const names = page.locator('.desk-run .list-name');
  await names.filter({ hasText: 'Durchlauf 10' }).waitFor();
  const cut = await names.evaluateAll((all) =>
    all.flatMap((name) => (name.scrollWidth > name.clientWidth ? [name.textContent] : [])),
  );
  expect(cut).toEqual([]);
});
