/** Pictures of a camera for the input of the recorder, and what the screens show of them. */
import type { Locator, Page } from 'playwright-core';
import { exifSegment } from '../../../make-picture.ts';
import { button, createMap, heading } from '../../locators.ts';

interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Draws a picture of 2,400 × 1,800 pixels in each colour, as a camera held upright writes it: lying, and with a place. */
export async function pictureFiles(page: Page, colours: readonly string[]): Promise<PictureFile[]> {
  const drawn = await page.evaluate(async (all) => {
    const draw = async (colour: string) => {
      const canvas = new OffscreenCanvas(2_400, 1_800);
      const context = canvas.getContext('2d')!;
      context.fillStyle = colour;
      context.fillRect(0, 0, 2_400, 1_800);
      context.fillStyle = '#fff';
      for (let at = 0; at < 12; at++) context.fillRect(at * 200 + 40, at * 140 + 40, 120, 90);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa([...bytes].map((byte) => String.fromCodePoint(byte)).join(''));
    };
    return Promise.all(all.map(draw));
  }, colours);
  return drawn.map(asCameraFile);
}

/** Chromium's flags for its fake camera, without the question whether a page may use it. */
export const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] as const;

/** Takes pictures of 2,400 × 1,800 pixels by the fake camera, each of another moment. */
export async function filmedFiles(page: Page, count: number): Promise<PictureFile[]> {
  const taken = await page.evaluate(async (pictures) => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true });
    const video = Object.assign(document.createElement('video'), { srcObject: stream, muted: true });
    await video.play();
    const take = async () => {
      await new Promise((shown) => video.requestVideoFrameCallback(shown));
      const canvas = new OffscreenCanvas(2_400, 1_800);
      canvas.getContext('2d')!.drawImage(video, 0, 0, 2_400, 1_800);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa([...bytes].map((byte) => String.fromCodePoint(byte)).join(''));
    };
    const all: string[] = [];
    while (all.length < pictures) all.push(await take());
    for (const track of stream.getTracks()) track.stop();
    return all;
  }, count);
  return taken.map(asCameraFile);
}

/** Adds the Exif data of a phone held upright at a known place. */
function asCameraFile(base64: string, index: number): PictureFile {
  const jpeg = Buffer.from(base64, 'base64');
  const buffer = Buffer.concat([jpeg.subarray(0, 2), exifSegment(), jpeg.subarray(2)]);
  return { name: `${index}.jpg`, mimeType: 'image/jpeg', buffer };
}

export const camera = (page: Page, step: string): Locator =>
  page.getByLabel(`Take a photo of ${step}`, { exact: true });

/** Takes one picture after the other into the step, and resolves when all of them are small pictures of it. */
export async function takePhotos(page: Page, step: string, pictures: readonly PictureFile[]): Promise<void> {
  for (const [index, picture] of pictures.entries()) {
    await camera(page, step).setInputFiles(picture);
    await thumbnail(page, `Photo ${index + 1} of ${index + 1} of ${step}`).waitFor();
  }
}

export const thumbnails = (page: Page, step: string): Locator =>
  page.getByRole('list', { name: `Photos of ${step}` }).getByRole('img');
export const thumbnail = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const viewer = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });

/** Returns the size of the picture that an image shows, in its own pixels, once it is decoded. */
export const naturalSize = (image: Locator): Promise<number[]> =>
  image.evaluate(async (element: HTMLImageElement) => {
    await element.decode();
    return [element.naturalWidth, element.naturalHeight];
  });

/** Begins a recording of a new map at its first step. Starts on the phone's list of maps. */
export async function beginRecording(page: Page, map: string): Promise<void> {
  await createMap(page, map);
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
}
