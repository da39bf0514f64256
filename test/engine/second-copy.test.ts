import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Mirror } from '../../client/client.ts';
import { current, device, eventually } from './devices.ts';
import { folderMirror } from './folder-mirror.ts';

const url = 'http://127.0.0.1:9';
const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A device whose database is new each time; what it knows of a life before can only come from the mirror. */
const life = (mirror?: Mirror) => device({ url, fetch: offline, ...(mirror ? { mirror } : {}) });

test('[STORAGE-4] a tap stands when its second copy cannot be written, which is told, and the next write makes up for it', async () => {
  const folder = newFolder();
  const good = folderMirror(folder);
  let isBroken = false;
  const write: Mirror['write'] = (changes) => (isBroken ? Promise.reject(new Error('no room')) : good.write(changes));
  const phone = await life({ ...good, write });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  isBroken = true;
  await recording.step({ stage_name: 'cut' });
  expect(await current(phone.status$)).toMatchObject({ second_copy: 'behind' });
  isBroken = false;
  await recording.step({ stage_name: 'stack' });
  await eventually(phone.status$, ({ second_copy }) => second_copy === 'kept');
  await phone.close();

  const again = await life(good);
  const steps = (await current(again.recording$))?.steps.map(({ stage_name }) => stage_name);
  expect(steps).toEqual(['load', 'cut', 'stack']);
});

test('[STORAGE-5] a device whose database is gone does not become a new one while its second copy cannot be read', async () => {
  const folder = newFolder();
  const mirror = folderMirror(folder);
  const phone = await life(mirror);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.close();

  const unreadable: Mirror = { ...mirror, exchange: () => Promise.reject(new Error('another tab has it')) };
  await expect(life(unreadable)).rejects.toMatchObject({ code: 'storage_lost' });
  const again = await life(mirror);
  expect(await current(again.map$(map_id))).toMatchObject({ name: 'Saw', pending: true });
});

test('[STORAGE-6] what the server has leaves the second copy, and without a place for one the engine works and says so', async () => {
  const held = async (mirror: Mirror) => {
    let keys: string[] = [];
    await mirror.exchange((rows) => {
      keys = [...rows.keys()].map((key) => key.split('|').slice(0, 2).join('|'));
      return Promise.resolve([]);
    });
    return keys;
  };
  const mirror = folderMirror(newFolder());
  const phone = await life(mirror);
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  expect((await held(mirror)).filter((key) => key.startsWith('drafts'))).toHaveLength(2);
  await recording.finish();
  expect(await held(mirror)).toEqual(['version', 'outbox|device', 'outbox|mutation']);

  const plain = await life();
  await plain.createMap({ name: 'Saw' });
  expect(await current(plain.status$)).toMatchObject({ second_copy: 'none', pending: 1 });
});
