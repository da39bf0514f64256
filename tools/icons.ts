/** `npm run icons`: a browser draws the PNGs of the app's icon from `icon.svg`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBrowser, createUserDataDir } from '../test/browser/browser.ts';

const iconsFolder = resolve(import.meta.dirname, '../client/app/public/icons');

const svg = await readFile(join(iconsFolder, 'icon.svg'), 'utf8');
/**
 * Systems cut a maskable icon to their own shape, so the background reaches the edge and the drawing stays in the
 * middle.
 */
const maskableSvg = svg
  .replace('viewBox="0 0 512 512"', 'viewBox="-64 -64 640 640"')
  .replace(' rx="116"', ' x="-64" y="-64"')
  .replace('width="512" height="512"', 'width="640" height="640"');
/** An iPhone rounds the corners itself. */
const squareSvg = svg.replace(' rx="116"', '');

const browserProfile = await createUserDataDir();
const browser = await openBrowser(browserProfile.path);
try {
  await drawIcon('icon-192.png', 192, svg);
  await drawIcon('icon-512.png', 512, svg);
  await drawIcon('icon-maskable-512.png', 512, maskableSvg);
  await drawIcon('icon-180.png', 180, squareSvg);
} finally {
  await browser.kill();
  await browserProfile.remove();
}

async function drawIcon(name: string, size: number, drawing: string): Promise<void> {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: size, height: size });
  const uri = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
  await page.setContent(`<body style="margin:0"><img width="${size}" height="${size}" src="${uri}">`);
  await writeFile(join(iconsFolder, name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
