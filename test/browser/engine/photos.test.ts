/** Photos in a real browser: its encoder in a worker, its private file system, and a kill in the middle of an upload. */
import { expect, test } from 'vitest';
import { testMsMax } from '../../timeouts.ts';
import { createBrowserDevice } from '../device.ts';
import { pageVerb } from '../in-page.ts';

/** Records a step with a picture of this size, and returns the photo's id. */
const photograph = pageVerb(async (width: number, height: number) => {
  const recording = await window.gemba.startRecording({ newMap: { name: `Saw ${width}` } });
  await recording.step({ stage_name: 'Cut' });
  const { id } = await recording.photo(await window.makePicture(width, height));
  await recording.finish();
  return id;
});

/** Resolves with the looks of a photo, as the page shows it, once it is there. */
const look = pageVerb(async (id: string, size: 'photo' | 'thumbnail') => {
  const content = (await window.eventually(window.gemba.photo$(id, size), (found) => found !== 'awaited')) as Blob;
  const { width, height } = await createImageBitmap(content);
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = [...bytes.subarray(0, 2_000)].map((byte) => String.fromCodePoint(byte)).join('');
  return { type: content.type, width, height, bytes: bytes.length, hasExif: text.includes('Exif') };
});

const untilSent = pageVerb(() => window.eventually(window.gemba.photos$, ({ pending }) => pending === 0));
const photosStatus = pageVerb(() => window.current(window.gemba.photos$));
const codeOfPhoto = pageVerb(async (type: 'text' | 'huge') => {
  const recording = await window.gemba.startRecording({ newMap: { name: 'Broken' } });
  await recording.step({ stage_name: 'Cut' });
  // The header of a PNG of 100,000 × 100,000 pixels, with nothing behind it.
  const bomb = [
    0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86, 0xa0, 0, 1, 0x86,
  ];
  const given = type === 'text' ? new Blob(['no picture']) : new Blob([new Uint8Array([...bomb, 0xa0, 8, 6, 0, 0, 0])]);
  const code = await recording.photo(given).then(
    () => 'taken',
    (error: { code: string }) => error.code,
  );
  await recording.discard();
  return code;
});

test(
  '[PHOTO-46] a browser encodes a picture with a place as a photo without one, turned and small enough',
  async () => {
    const { start } = await createBrowserDevice();
    const { tabs } = await start();
    const page = await tabs.open('a');
    const id = await photograph(page, 3_000, 2_000);
    expect(await look(page, id, 'photo')).toMatchObject({
      type: 'image/jpeg',
      width: 1_365,
      height: 2_048,
      hasExif: false,
    });
    const thumbnail = await look(page, id, 'thumbnail');
    expect(thumbnail).toMatchObject({ type: 'image/jpeg', width: 213, height: 320, hasExif: false });
    expect(thumbnail.bytes).toBeLessThanOrEqual(24 * 1024);
    await untilSent(page);
    // Another device gets it from the server, which refuses photos with metadata.
    const other = await tabs.open('b', { name: 'other' });
    expect(await look(other, id, 'photo')).toMatchObject({ width: 1_365, height: 2_048, hasExif: false });
    const small = await photograph(page, 40, 30);
    expect(await look(page, small, 'photo')).toMatchObject({ width: 30, height: 40 });
    for (const broken of ['text', 'huge'] as const) expect(await codeOfPhoto(page, broken)).toBe('photo_unreadable');
  },
  testMsMax,
);

test(
  '[PHOTO-54] a photo taken in an outage is on the server after the browser was killed twice',
  async () => {
    const { start, site } = await createBrowserDevice();
    const { browser, tabs } = await start();
    const page = await tabs.open('a');
    site.outage = true;
    const id = await photograph(page, 1_600, 1_600);
    await browser.kill();
    site.outage = false;
    const upload = `PATCH /api/v1/photos/${id}/upload`;
    const held = site.hold('a', upload);
    const second = await start();
    await second.tabs.open('a');
    await held.holds;
    // The server has the first piece, and nobody has told the device.
    await second.browser.kill();
    held.release();
    const third = await start();
    const reopened = await third.tabs.open('a');
    await untilSent(reopened);
    expect(await look(reopened, id, 'photo')).toMatchObject({ width: 1_600, height: 1_600 });
    const other = await third.tabs.open('b', { name: 'other' });
    expect(await look(other, id, 'photo')).toMatchObject({ width: 1_600, height: 1_600 });
    expect(await photosStatus(reopened)).toMatchObject({ pending: 0, refused: 0, lost: 0 });
  },
  testMsMax,
);
