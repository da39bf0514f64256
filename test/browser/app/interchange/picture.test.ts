/** Pictures of a value stream, of a phone and a desk. Real server process, real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDesk, pane, runsWithOutlier } from '../desk/desk-page.ts';
import { button, mapAction } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

async function save(page: Page): Promise<{ name: string; bytes: Buffer }> {
  await button(page, 'Make the file').click();
  const downloading = page.waitForEvent('download');
  await button(page, 'Save file').click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The size of a picture, and how many of its pixels are neither white nor transparent. */
const drawn = (page: Page, bytes: Buffer, type: string) =>
  inPage(
    page,
    async ({ base64, type: mime }) => {
      const image = new Image();
      image.src = `data:${mime};base64,${base64}`;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      let pixels = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3]! > 0 && data[at]! + data[at + 1]! + data[at + 2]! < 700) pixels += 1;
      }
      return { width, height, pixels };
    },
    { base64: bytes.toString('base64'), type },
  );

test('[APP-600] a phone without a network saves a picture of the value stream, and the drawing of the server', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...runsWithOutlier.slice(0, 2));
  const page = await openPhone(server);
  const svg = await server.rest.file(`/maps/${mapId}/value-stream.svg`);
  await page.goto(`${server.url}/maps/${mapId}`);
  await server.kill();
  await mapAction(page, 'Save picture');
  await expectNoViolationsInOneScheme(page);
  const png = await save(page);
  expect(png.name).toMatch(/^Saw \d{4}-\d{2}-\d{2} value stream\.png$/);
  await page.getByText('2 stages,').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByRole('radio', { name: 'Drawing (SVG)' }).check({ force: true });
  const drawing = await save(page);
  expect(drawing.name).toMatch(/ value stream\.svg$/);
  expect(drawing.bytes.equals(svg)).toBe(true);
  const [picture, vector] = [
    await drawn(page, png.bytes, 'image/png'),
    await drawn(page, drawing.bytes, 'image/svg+xml'),
  ];
  expect(picture).toMatchObject({ width: 2 * vector.width, height: 2 * vector.height });
  expect(vector.pixels).toBeGreaterThan(500);
  expect(picture.pixels / vector.pixels).toBeGreaterThan(3);
  expect(picture.pixels / vector.pixels).toBeLessThan(5);

  await server.start();
  const desk = await openDesk(server);
  await desk.goto(`${server.url}/desk/maps/${mapId}`);
  await pane(desk, 'Map').getByRole('button', { name: 'Actions' }).click();
  await desk.getByRole('menuitem', { name: 'Save picture' }).click();
  expect((await save(desk)).bytes.equals(png.bytes)).toBe(true);
});
