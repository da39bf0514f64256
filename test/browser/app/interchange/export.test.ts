/** Exports of runs on a phone and a desk. Real server process, real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDesk, pane, runsWithOutlier } from '../desk/desk-page.ts';
import { button, finish, heading, status } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';
import { openScoped } from '../scoped-app.ts';

const app = builtApp();

const kinds = [
  ['Spreadsheet', 'steps.xlsx'],
  ['Plain table of steps', 'steps.csv'],
  ['Plain table of runs', 'runs.csv'],
  ['Process mining', 'log.xes'],
  ['Process mining with objects', 'log.ocel.json'],
] as const;

const choose = (page: Page, kind: string) => page.locator('.export-formats').getByText(kind, { exact: true }).click();
const make = (page: Page) => button(page, 'Make the file').click();

async function save(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await button(page, 'Save file').click();
  const download: Download = await downloading;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** A device without memory for the file fails in this way. A stub, since the memory of the test's machine is not. */
async function failNextBlob(page: Page): Promise<void> {
  await inPage(page, () => {
    const { Blob: Real, reportError: report } = globalThis;
    globalThis.reportError = (error) => {
      globalThis.reportError = report;
      document.body.dataset['reported'] = String(error);
    };
    globalThis.Blob = class extends Real {
      constructor() {
        super();
        globalThis.Blob = Real;
        throw new RangeError('No memory.');
      }
    };
  });
}

/** The day of the device, as a file's name has it. */
const today = (page: Page) => inPage(page, () => new Date().toLocaleDateString('sv'));

const lines = (bytes: Buffer): string[] => String(bytes).split('\r\n').slice(1, -1);
const runsIn = (bytes: Buffer): number => new Set(lines(bytes).map((line) => line.split(',')[0])).size;

/** Linux has no Web Share, so it is a stub at the edge of the page, which shares text alone. */
async function stubShare(page: Page): Promise<void> {
  await inPage(page, () => {
    navigator.canShare = ({ files = [] } = {}) => files.every(({ type }) => type.startsWith('text/'));
    navigator.share = async ({ files = [] } = {}) => {
      const { outcome = '' } = document.body.dataset;
      document.body.dataset['shared'] = `${files[0]?.name} ${navigator.userActivation.isActive}`;
      if (outcome !== '') throw new DOMException('The stub fails.', outcome);
    };
  });
}

async function share(page: Page, outcome: string): Promise<string | undefined> {
  await inPage(page, (name) => void (document.body.dataset['outcome'] = name), outcome);
  await button(page, 'Share').click();
  return inPage(page, () => document.body.dataset['shared']);
}

async function uploadNamed(server: AppServer) {
  const uploaded = await uploadRecordings(server, ...runsWithOutlier);
  await server.rest.send('PATCH', `/maps/${uploaded.mapId}`, { name: 'Saw / Süd: "A"' });
  return uploaded;
}

test('[APP-590] [APP-594] [APP-595] the runs of a map are saved in each format with the bytes of the server, and shared where the browser can', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadNamed(server);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await button(page, 'Export').click();
  await page.getByText('5 runs with 10 steps').waitFor();
  await expectNoViolationsInOneScheme(page);
  await stubShare(page);
  for (const [kind, format] of kinds) {
    await choose(page, kind);
    await make(page);
    const { name, bytes } = await save(page);
    expect(name).toBe(`Saw Süd A ${await today(page)} ${format}`);
    const bom = format.endsWith('.csv') ? '&bom=true' : '';
    expect(bytes.equals(await server.rest.file(`/export/${format}?map_id=${mapId}${bom}`)), format).toBe(true);
    expect(await button(page, 'Share').count(), format).toBe(format.endsWith('.csv') ? 1 : 0);
  }
  await choose(page, 'Plain table of runs');
  await make(page);
  await button(page, 'Share').waitFor();
  await expectNoViolationsInOneScheme(page);
  expect(await share(page, 'AbortError')).toBe(`Saw Süd A ${await today(page)} runs.csv true`);
  expect(await page.getByRole('alert').count()).toBe(0);
  await share(page, 'NotAllowedError');
  await page.getByRole('alert').getByText('The file could not be shared. Save it instead.').waitFor();
  await share(page, '');
  await page.getByRole('alert').waitFor({ state: 'detached' });

  await button(page, 'Save file').waitFor();
  await server.rest.send('PATCH', `/runs/${runIds[0]}`, { name: 'After the repair' });
  await button(page, 'Save file').waitFor({ state: 'detached' });
  await failNextBlob(page);
  await make(page);
  await page.getByRole('alert').getByText('Something went wrong').waitFor();
  expect(await inPage(page, () => document.body.dataset['reported'])).toBe('RangeError: No memory.');
  await make(page);
  expect(String((await save(page)).bytes)).toContain('After the repair');

  await page.goto(`${server.url}/maps/${mapId}/choose/${runIds.slice(0, 3).join()}`);
  await button(page, 'Export').click();
  await page.getByText('3 runs with 6 steps').waitFor();
  await page.getByRole('radio', { name: 'All (5)' }).check({ force: true });
  await page.getByText('5 runs with 10 steps').waitFor();

  await server.rest.send('PATCH', `/runs/${runIds[4]}`, { excluded: { reason: 'The die stuck.' } });
  const desk = await openDesk(server);
  await desk.goto(`${server.url}/desk/maps/${mapId}`);
  await desk.getByLabel('Mark run 2').check();
  await desk.getByText('Sort and filter').click();
  await desk.getByLabel('Excluded runs').selectOption('Hide');
  await pane(desk, 'Map').getByRole('button', { name: 'Actions' }).click();
  await desk.getByRole('menuitem', { name: 'Export runs' }).click();
  expect(await desk.getByRole('group', { name: 'Which runs' }).locator('span').allInnerTexts()).toEqual([
    'Selected (1)',
    'Filtered (4)',
    'All (5)',
  ]);
  await choose(desk, 'Plain table of steps');
  await make(desk);
  expect(runsIn((await save(desk)).bytes)).toBe(1);
  await desk.getByRole('radio', { name: 'Filtered (4)' }).check({ force: true });
  await make(desk);
  expect(runsIn((await save(desk)).bytes)).toBe(4);
});

test('[APP-591] [APP-595] without a network a phone exports its unsent runs, too, and says what the file lacks', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadNamed(server);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}`);
  await heading(page, 'Saw / Süd: "A"').waitFor();
  await server.kill();
  await button(page, 'Record').click();
  await page.locator('.recorder-next').click();
  await finish(page);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.getByText('Run 6', { exact: true }).click();
  await button(page, 'Export run').click();
  await page.getByText(/^1 run has work that is not on the server yet\. The file has that work, too\./).waitFor();
  await make(page);
  expect((await save(page)).name).toBe(`Saw Süd A run 6 ${await today(page)} steps.xlsx`);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Back' }).click();
  await button(page, 'Export').click();
  await page.getByText('6 runs with 11 steps').waitFor();
  await choose(page, 'Plain table of steps');
  await make(page);
  const { bytes } = await save(page);
  expect([runsIn(bytes), lines(bytes).length]).toEqual([6, 11]);

  await page.goto('about:blank');
  await server.start();
  await server.rest.send('POST', `/maps/${mapId}/delete`);
  await page.goto(`${server.url}/attention`);
  await button(page, 'Discard').waitFor();
  await server.rest.send('POST', `/maps/${mapId}/restore`);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await button(page, 'Export').click();
  await page.getByText('5 runs with 10 steps').waitFor();
  await page.getByRole('link', { name: '1 recording needs attention and is not in the file.' }).waitFor();
  await expectNoViolationsInOneScheme(page);
});

test('[APP-592] [APP-593] an export says what the server alone has, loads it, and refuses a format that takes fewer steps', async () => {
  const server = await appServer(app.folder);
  const steps = (count: number) =>
    Array.from({ length: count }, (_, order) => ({ stage_name: 'Cut', duration_secs: order }));
  const { mapId } = await uploadRecordings(
    server,
    ...Array.from({ length: 55 }, (_, nth) => steps(nth < 50 ? 1_000 : 2)),
  );
  const { page } = await openScoped({ server, runsMax: 50 });
  await page.goto(`${server.url}/maps/${mapId}`);
  await button(page, 'More').click();
  await button(page, 'Export runs').click();
  await page.getByText('50 runs with 45,010 steps').waitFor();
  await page.getByText('5 runs are on the server alone, and not in the file.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await server.kill();
  await page.getByText("You're offline. They can be loaded once the server can be reached.").waitFor();
  expect(await button(page, 'Load 5 runs').count()).toBe(0);
  await server.start();
  await button(page, 'Load 5 runs').click();
  await page.getByText('55 runs with 50,010 steps').waitFor();
  await page.getByText('runs are on the server alone').waitFor({ state: 'detached' });
  await page.getByRole('alert').getByText('This kind of file has at most 50,000 steps.').waitFor();
  expect(await button(page, 'Make the file').isDisabled()).toBe(true);
  await choose(page, 'Plain table of steps');
  await make(page);
  const { bytes } = await save(page);
  expect([runsIn(bytes), lines(bytes).length]).toEqual([55, 50_010]);
  await status(page, 'All safe on the server').waitFor();
});
