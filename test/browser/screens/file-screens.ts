/** Pictures of exports, imports, pictures of a value stream and prints, on the maps and runs of the pictures before. */
import type { Page } from 'playwright-core';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { phoneSize } from '../app/devices.ts';
import { button, heading, mapAction } from '../app/locators.ts';
import { deskSize, mapId } from './desk-stage.ts';
import type { Screen, ScreenStage } from './screen.ts';

/** A4 in CSS pixels. */
const paperSize = { width: 794, height: 1123 };

const header = 'recording_session_id,map_name,order,stage_name,duration_secs,work_type,shift';
const rightFile = [
  header,
  'walk-1,Press line,1,Load,43,incidental,early',
  'walk-1,Press line,2,Press,101,valuable,early',
  'walk-2,Press line,1,Load,47,incidental,late',
  'walk-3,Powder coating of the frames,1,Hang up,90,incidental,late',
  'walk-3,Powder coating of the frames,2,Coat,240,valuable,late',
];
const wrongFile = [
  header,
  'walk-1,Press line,1,Load,43 s,incidental,early',
  'walk-1,Press line,2,Press,101,work,early',
  'walk-2,Press line,1,,47,incidental,late',
];

async function check(page: Page, name: string, lines: string[]): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await heading(page, name).waitFor();
}

const checkWrongFile = (page: Page) => check(page, 'Times of November.csv', wrongFile);
const checkRightFile = (page: Page) => check(page, 'Times of November, mended.csv', rightFile);

/** A dialog's button that has the focus is not what a person looks at. */
const dropFocus = (page: Page) => page.evaluate('document.activeElement.blur()');

async function makeFile(page: Page): Promise<void> {
  await button(page, 'Make the file').click();
  await button(page, 'Save file').waitFor();
  await dropFocus(page);
}

const openPrint = async ({ page, url }: ScreenStage, path: string, title: string): Promise<void> => {
  await page.goto(url + path);
  await heading(page, title).waitFor();
};

export const phoneFileScreens: Screen[] = [
  {
    name: 'phone/files/export',
    size: phoneSize,
    go: async (stage) => {
      const { page, url } = stage;
      await page.goto(`${url}/maps/${await mapId(stage, 'Press line')}/runs`);
      await button(page, 'Export').click();
      await page.getByText(/^\d+ runs with \d+ steps$/).waitFor();
    },
  },
  { name: 'phone/files/export-ready', size: phoneSize, go: ({ page }) => makeFile(page) },
  {
    name: 'phone/files/picture',
    size: phoneSize,
    go: async (stage) => {
      const { page, url } = stage;
      await page.goto(`${url}/maps/${await mapId(stage, 'Order to delivery')}`);
      await mapAction(page, 'Save picture');
      await button(page, 'Make the file').waitFor();
    },
  },
  { name: 'phone/files/picture-ready', size: phoneSize, go: ({ page }) => makeFile(page) },
  {
    name: 'phone/files/import',
    size: phoneSize,
    go: async ({ page, url }) => {
      await page.goto(`${url}/account/import`);
      await heading(page, 'Import recordings').waitFor();
    },
  },
  { name: 'phone/files/import-errors', size: phoneSize, go: ({ page }) => checkWrongFile(page) },
  { name: 'phone/files/import-plan', size: phoneSize, go: ({ page }) => checkRightFile(page) },
  {
    name: 'phone/files/print-map',
    size: paperSize,
    media: 'print',
    go: async (stage) => openPrint(stage, `/maps/${await mapId(stage, 'Order to delivery')}`, 'Order to delivery'),
  },
  {
    name: 'phone/files/print-run',
    size: paperSize,
    media: 'print',
    go: async (stage) => {
      const path = `/maps/${await mapId(stage, 'Press line')}/runs`;
      const runs = await stage.rest.list<RunDoc>(path);
      const run = runs.find(({ number }) => number === 5)!;
      await openPrint(stage, `${path}/${run.id}`, 'Run 5');
    },
  },
];

export const deskFileScreens: Screen[] = [
  {
    name: 'desk/files/export',
    size: deskSize,
    go: async (stage) => {
      const { page, url } = stage;
      await page.goto(`${url}/desk/maps/${await mapId(stage, 'Press line')}`);
      await page.getByLabel('Mark run 2').check();
      await button(page, 'Actions').click();
      await page.getByRole('menuitem', { name: 'Export runs' }).click();
      await page.getByText(/^\d+ runs? with \d+ steps$/).waitFor();
    },
  },
  {
    name: 'desk/files/picture',
    size: deskSize,
    go: async (stage) => {
      const { page, url } = stage;
      await page.goto(`${url}/desk/maps/${await mapId(stage, 'Order to delivery')}`);
      await button(page, 'Actions').click();
      await page.getByRole('menuitem', { name: 'Save picture' }).click();
      await makeFile(page);
    },
  },
  {
    name: 'desk/files/import-errors',
    size: deskSize,
    go: async ({ page, url }) => {
      await page.goto(`${url}/desk/account/import`);
      await page.getByText('Or drop the file here.').waitFor();
      await checkWrongFile(page);
    },
  },
  { name: 'desk/files/import-plan', size: deskSize, go: ({ page }) => checkRightFile(page) },
];
