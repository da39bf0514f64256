/** Photos of a recording under way: on which step they stand, and what is refused. */
import { expect, test } from 'vitest';
import type { Recording } from '../../../client/client.ts';
import { current, device, eventually, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { memoryFiles, photographStep, picture, photoPlatform, sampleEncoder } from './photo-devices.ts';

const offline = { url: 'http://127.0.0.1:1', fetch: network(false).fetch };
const newMap = { newMap: { name: 'Saw' } };

/** An encoder whose pictures are encoded when the test says so. */
function slowEncoder() {
  const waiting: (() => void)[] = [];
  const encode: typeof sampleEncoder.encode = async (given) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return sampleEncoder.encode(given);
  };
  const encodeNext = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()!();
  };
  return { encoder: { encode }, encodeNext };
}

const photosOfSteps = (recording: Recording | null) =>
  recording?.steps.map(({ stage_name, photos = [] }) => [stage_name, photos]);

test('[PHOTO-43] a photo stands on the step that was under way when it was taken, whatever came meanwhile', async () => {
  const { encoder, encodeNext } = slowEncoder();
  const phone = await device({ ...offline, photos: { encoder, files: memoryFiles() } });
  const recording = await phone.startRecording(newMap);
  await recording.step({ stage_name: 'Load' });
  await recording.step({ stage_name: 'Cut' });
  const taken = recording.photo(picture('blade'));
  await recording.step({ stage_name: 'Pack' });
  await encodeNext();
  const { id } = await taken;
  expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
  const expected = [
    ['Load', []],
    ['Cut', [id]],
    ['Pack', []],
  ];
  expect(photosOfSteps(await current(phone.recording$))).toEqual(expected);
  expect(Buffer.from(await ((await current(phone.photo$(id))) as Blob).arrayBuffer())).toEqual(
    Buffer.from(await picture('blade').arrayBuffer()),
  );
});

test('[PHOTO-43] a run has the photos that were still being encoded at its finish', async () => {
  const timers = manualTimers();
  const { encoder, encodeNext } = slowEncoder();
  const phone = await device({ ...offline, clock: timers.clock, photos: { encoder, files: memoryFiles() } });
  const finishWith = async (seed: string, undoMs: number) => {
    const recording = await phone.startRecording({ newMap: { name: seed } });
    await recording.step({ stage_name: 'Cut' });
    const taken = recording.photo(picture(seed));
    const finishing = recording.finish({ undoMs });
    // A finish that can be undone waits for nothing.
    if (undoMs > 0) await finishing;
    await encodeNext();
    const { id } = await taken;
    const { run_id } = await finishing;
    if (undoMs > 0) timers.fire(undoMs);
    const run = await eventually(phone.run$(run_id), (found) => found !== undefined);
    expect(run!.steps).toMatchObject([{ stage_name: 'Cut', photos: [id] }]);
  };
  await finishWith('at once', 0);
  await finishWith('with undo', 5_000);
});

test('[PHOTO-43] the photo of a step that was taken back stands on the step before', async () => {
  const { encoder, encodeNext } = slowEncoder();
  const phone = await device({ ...offline, photos: { encoder, files: memoryFiles() } });
  const recording = await phone.startRecording(newMap);
  await recording.step({ stage_name: 'Load' });
  await recording.step({ stage_name: 'Cut' });
  const taken = recording.photo(picture('blade'));
  await recording.undo();
  await encodeNext();
  const { id } = await taken;
  expect(photosOfSteps(await current(phone.recording$))).toEqual([['Load', [id]]]);
});

test('[PHOTO-44] photos are removed, taken back and brought back, and stay with steps that are split or joined', async () => {
  const phone = await device({ ...offline, photos: photoPlatform() });
  const recording = await phone.startRecording(newMap);
  const [first, second] = await photographStep(recording, 'Load', [picture('a'), picture('b')]);
  const [third] = await photographStep(recording, 'Cut', [picture('c')]);
  const shown = async () => (await current(phone.recording$))!;
  const photos = async () => photosOfSteps(await shown())?.map(([, ids]) => ids);
  const position = async (index: number) => ({ index, started_at: (await shown()).steps[index]!.started_at });
  expect((await shown()).undoes).toEqual({ kind: 'photo', stage_name: 'Cut' });
  await recording.undo();
  expect(await photos()).toEqual([[first, second], []]);
  await recording.photo(picture('c'));
  await recording.removePhoto(await position(0), first!);
  expect(await photos()).toEqual([[second], [third]]);
  expect((await shown()).undoes).toMatchObject({ kind: 'photo_removal' });
  await recording.undo();
  expect(await photos()).toEqual([[first, second], [third]]);
  await recording.join(await position(0));
  expect(await photos()).toEqual([[first, second, third]]);
  // A picture that is taken twice is one photo.
  expect(await recording.photo(picture('a'))).toEqual({ id: first });
  expect(await photos()).toEqual([[first, second, third]]);
});

test('[PHOTO-45] what cannot be a photo is refused and changes nothing', async () => {
  const files = memoryFiles();
  const phone = await device({ ...offline, photos: { encoder: sampleEncoder, files } });
  const recording = await phone.startRecording(newMap);
  await expect(recording.photo(picture('early'))).rejects.toMatchObject({ code: 'tap_refused' });
  await recording.step({ stage_name: 'Cut' });
  await expect(recording.photo(new Blob(['text']))).rejects.toMatchObject({ code: 'photo_unreadable' });
  await expect(recording.photo('text' as unknown as Blob)).rejects.toMatchObject({ code: 'validation_failed' });
  const write = files.write;
  files.write = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));
  await expect(recording.photo(picture('large'))).rejects.toMatchObject({ code: 'storage_full' });
  files.write = write;
  const taken = Array.from({ length: 20 }, (_, index) => recording.photo(picture(`photo ${index}`)));
  await Promise.all(taken);
  await expect(recording.photo(picture('one more'))).rejects.toMatchObject({ code: 'photo_limit' });
  expect((await current(phone.recording$))!.steps).toMatchObject([{ photos: { length: 20 } }]);
  await recording.step({ stage_name: 'Pack' });
  await recording.discard();
  await expect(recording.photo(picture('too late'))).rejects.toMatchObject({ code: 'recording_ended' });
});

test('[PHOTO-45] of 21 photos that are taken at once into a step, the first 20 stay', async () => {
  const phone = await device({ ...offline, photos: photoPlatform() });
  const recording = await phone.startRecording(newMap);
  await recording.step({ stage_name: 'Cut' });
  const pictures = Array.from({ length: 21 }, (_, index) => picture(String(index)));
  const taken = await Promise.allSettled(pictures.map((one) => recording.photo(one)));
  expect(taken.slice(0, 20).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'fulfilled'));
  expect(taken[20]).toMatchObject({ reason: { code: 'photo_limit' } });
});
