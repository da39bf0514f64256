/** The import of recordings on a phone and a desk, and prints of a phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolations } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDesk, runsWithOutlier } from '../desk/desk-page.ts';
import { button, heading, mapAction, status } from '../locators.ts';
import { openPhone, runsOf, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

const head = 'recording_session_id,map_name,order,stage_name,duration_secs,work_type,shift';
const session = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
const fileOf = (...rows: string[]) => [head, ...rows].join('\n');
const goodFile = fileOf(
  `${session(1)},Saw,1,Load,20,incidental,early`,
  `${session(1)},Saw,2,Press,60,valuable,early`,
  `${session(2)},Paint shop,1,Spray,90,valuable,late`,
);
const badFile = fileOf(`${session(3)},Saw,1,Load,soon,incidental,early`, `${session(4)},Saw,1,,20,incidental,early`);

const give = (page: Page, content: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'old times.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

const facts = (page: Page) => page.locator('.facts').innerText();

test('[APP-596] [APP-597] [APP-599] [APP-603] a phone checks a file and imports its recordings without a network, and a desk takes a dropped file that is there already', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...runsWithOutlier.slice(0, 1));
  const page = await openPhone(server);
  await button(page, 'New map').click();
  await page.getByRole('link', { name: 'Import recordings' }).click();
  await heading(page, 'Import recordings').waitFor();
  expect(await page.locator('input[type=file]').getAttribute('accept')).toMatch(/^\.csv,\.tsv,\.txt,/);
  await expectNoViolations(page);
  await server.kill();
  await give(page, badFile);
  await page.getByText('2 errors in this file. Nothing is imported until the file is right.').waitFor();
  await page.getByText('Line 2, duration_secs', { exact: true }).waitFor();
  await page.getByText('Line 3, stage_name', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Import / }).count()).toBe(0);
  await expectNoViolations(page);
  await give(page, goodFile);
  await heading(page, 'old times.csv').waitFor();
  await page.getByText('Nothing is taken from these columns: shift.').waitFor();
  expect((await facts(page)).split(/\n+/)).toEqual(['New recordings', '2', 'Already there', '0', 'Steps', '3']);
  expect(await page.getByRole('list', { name: 'Maps of the file' }).getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Saw\s+1 recording$/),
    expect.stringMatching(/^Paint shop\s+1 recording · New map$/),
  ]);
  await expectNoViolations(page);
  const start = await button(page, 'Import 2 recordings').boundingBox();
  const nav = await page.locator('.phone-nav').boundingBox();
  expect(start!.y + start!.height).toBeLessThanOrEqual(nav!.y);
  await button(page, 'Import 2 recordings').click();
  await page.getByText('2 recordings imported, 1 map created.').waitFor();
  expect(await inPage(page, () => document.activeElement?.textContent)).toBe('2 recordings imported, 1 map created.');
  await server.start();
  await status(page, 'All safe on the server').waitFor();
  expect((await runsOf(server, mapId)).map(({ recording_session_id }) => recording_session_id)).toContain(session(1));
  const maps = await server.rest.list<MapRecord>('/maps');
  expect(maps.map(({ name }) => name).toSorted()).toEqual(['Paint shop', 'Saw']);

  const desk = await openDesk(server);
  await desk.goto(`${server.url}/desk/account`);
  await desk.getByRole('link', { name: 'Import recordings' }).click();
  await desk.getByText('Or drop the file here.').waitFor();
  await inPage(
    desk,
    (content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], 'old times.csv', { type: 'text/csv' }));
      const target = document.querySelector('.import-file');
      for (const name of ['dragover', 'drop']) {
        target?.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }));
      }
    },
    goodFile,
  );
  await desk.getByText('All recordings of this file are there already. There is nothing to import.').waitFor();
  expect((await facts(desk)).split(/\n+/)).toEqual(['New recordings', '0', 'Already there', '2', 'Steps', '3']);
  await expectNoViolations(desk);
});

test('[APP-601] [APP-602] a phone says how far the check of a large file is, cancels it, and names what looks like a map', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...runsWithOutlier.slice(0, 1));
  const page = await openPhone(server);
  await page.goto(`${server.url}/account/import`);
  await heading(page, 'Import recordings').waitFor();
  await inPage(page, () => {
    const heard: string[] = [];
    const region = document.querySelector('.screen [role=status]') ?? document.body;
    new MutationObserver(() => heard.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(globalThis, { heard });
  });
  const heard = () => inPage(page, () => (globalThis as unknown as { heard: string[] }).heard);
  const large = fileOf(
    ...Array.from({ length: 20_000 }, (_, index) => `walk-${index % 5_000},SAW,${index},Load,20,incidental,early`),
  );
  await give(page, large);
  await page.getByRole('progressbar', { name: 'Checking the file…' }).waitFor();
  await button(page, 'Cancel the check').click();
  await page.getByText('The check was cancelled. Nothing was imported.').waitFor();
  expect(await inPage(page, () => document.activeElement?.getAttribute('role'))).toBe('status');
  expect(await page.getByRole('progressbar').count()).toBe(0);
  await expectNoViolations(page);

  await give(page, large);
  await button(page, 'Import 5,000 recordings').waitFor();
  const texts = await heard();
  expect(texts).toEqual(expect.arrayContaining(['Reading the file… 50%', 'Checking the recordings… 50%']));
  expect(texts.length).toBeLessThan(20);
  const notes = page.getByRole('list', { name: 'Please check' });
  expect(await notes.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Line 2, map_name\s+is a new name that looks like the map Saw; /),
  ]);
  await expectNoViolations(page);
});

test('[APP-598] [APP-604] a phone prints a map and a run in light colours without bars and buttons, and keeps stages, steps and patterns whole', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openPhone(server);
  await page.emulateMedia({ colorScheme: 'dark' });
  await inPage(page, () => {
    globalThis.print = () => void (document.body.dataset['printed'] = String(document.querySelector('dialog[open]')));
  });
  const paper = async () => {
    await page.locator('body[data-printed=null]').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    const shown = await inPage(page, () => {
      const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
      return {
        text: document.body.innerText,
        ground: styleOf('html').backgroundColor,
        colors: styleOf('html').getPropertyValue('print-color-adjust'),
        breaks: ['.list > li', '.flow'].map((selector) => styleOf(selector).breakInside),
        shadow: styleOf('.card').boxShadow,
        rowStart:
          Number.parseFloat(styleOf('.stage-row').paddingInlineStart) / Number.parseFloat(styleOf('html').fontSize),
        buttons: [...document.querySelectorAll('.screen .button')].filter((it) => it.checkVisibility()).length,
        hasPatterns: document.querySelector('#pattern-valuable')?.closest('svg')?.checkVisibility(),
      };
    });
    await page.emulateMedia({ media: null });
    await inPage(page, () => delete document.body.dataset['printed']);
    return shown;
  };
  const whole = {
    ground: 'rgb(255, 255, 255)',
    colors: 'exact',
    breaks: ['avoid', 'avoid'],
    buttons: 0,
    hasPatterns: true,
  };
  await page.getByText('Saw').click();
  await heading(page, 'Saw').waitFor();
  await mapAction(page, 'Print');
  const map = await paper();
  expect(map).toMatchObject({ ...whole, shadow: expect.stringMatching(/ 0px 0px 0px 1px$/), rowStart: 1 });
  expect(map.text).toMatch(/Saw[^]*Lead time[^]*2\. Press/);
  expect(map.text).not.toMatch(/Gemba|Record|Add stage|Sync/);
  await page.getByRole('link', { name: '5 runs' }).click();
  await page.getByText('Run 5', { exact: true }).click();
  await heading(page, 'Run 5').waitFor();
  await button(page, 'Print').click();
  const run = await paper();
  expect(run).toMatchObject(whole);
  expect(run.text).toMatch(/Run 5[^]*Saw[^]*Total time[^]*2\. Press/);
  expect(run.text).not.toMatch(/Gemba|Export|Print|Delete/);
  expect(page.url()).toBe(`${server.url}/maps/${mapId}/runs/${runIds[4]}`);
});
