/** Films a screen for the fake camera of Chromium: pictures of the real screen, as uncompressed video. */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { createUserDataDir } from '../browser.ts';

const width = 640;
const height = 480;
/** The screen fills the height of the picture. */
const side = height;
const picturesPerSecond = 10;
const background = 90;

export interface Film {
  path: string;
  pictures: number;
  remove(): Promise<void>;
}

/** Takes pictures until each of `count` codes was on the screen. */
export async function filmCodes(watch: Page, count: number): Promise<Film> {
  const seen = new Map<string, Buffer>();
  const picturesMax = count * 200;
  const path = watch.locator('.hand-over-code path');
  for (let pictures = 0; seen.size < count && pictures < picturesMax; pictures++) {
    const before = await path.getAttribute('d');
    const picture = await watch.screenshot({ type: 'png' });
    const after = await path.getAttribute('d');
    if (before !== null && before === after) seen.set(before, picture);
  }
  if (seen.size < count) throw new Error(`${seen.size} of ${count} codes were on the screen`);
  const frames = await Promise.all([...seen.values()].map((picture) => lumaOf(watch, picture)));
  return { ...(await newFile(frames)), pictures: frames.length };
}

/** The picture before a camera, which changes while the camera is open. */
export interface View extends Pick<Film, 'path' | 'remove'> {
  /** Holds the camera over a part of a screen. */
  show(part: Locator): Promise<void>;
}

export async function emptyView(): Promise<View> {
  const file = await newFile([Buffer.alloc(width * height, background)]);
  return {
    ...file,
    async show(part) {
      const luma = await lumaOf(part.page(), await part.screenshot({ type: 'png' }));
      // A camera that is open reads on in this file, which keeps its length.
      const opened = await open(file.path, 'r+');
      await opened.write(luma, 0, luma.length, header.length + frameMark.length);
      await opened.close();
    },
  };
}

async function newFile(frames: readonly Buffer[]): Promise<Pick<Film, 'path' | 'remove'>> {
  const folder = await createUserDataDir();
  const path = join(folder.path, 'screen.y4m');
  await writeFile(path, Buffer.concat([header, ...frames.flatMap((luma) => [frameMark, luma, colourless])]));
  return { path, remove: folder.remove };
}

const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${picturesPerSecond}:1 Ip A1:1 C420jpeg\n`);
const frameMark = Buffer.from('FRAME\n');
const colourless = Buffer.alloc(width * height * 0.5, 128);

/** Decodes the PNG in a page, since a browser can. */
async function lumaOf(page: Page, png: Buffer): Promise<Buffer> {
  const options = { url: `data:image/png;base64,${png.toString('base64')}`, width, height, side, background };
  const base64 = await page.evaluate(async (given) => {
    const image = new Image();
    image.src = given.url;
    await image.decode();
    const canvas = new OffscreenCanvas(given.width, given.height);
    const context = canvas.getContext('2d')!;
    context.fillStyle = `rgb(${given.background} ${given.background} ${given.background})`;
    context.fillRect(0, 0, given.width, given.height);
    context.drawImage(image, (given.width - given.side) / 2, 0, given.side, given.side);
    const { data } = context.getImageData(0, 0, given.width, given.height);
    let text = '';
    for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at + 1]!);
    return btoa(text);
  }, options);
  return Buffer.from(base64, 'base64');
}
