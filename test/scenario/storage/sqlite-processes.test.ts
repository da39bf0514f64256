/** Devices on an SQLite file in processes of their own. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeStorage } from '../../../client/entries/node.ts';
import { deviceFile } from '../../device/device-of-process.ts';
import { device } from '../../device/devices.ts';
import { newFolder } from '../../device/folder-journal.ts';
import type { Act, Shown } from '../../device/recorder-model.ts';
import { tappingProcess, type Place, type TappingProcess } from '../../device/sqlite/tapping-process.ts';
import { canMount, openSmallDisk } from '../../soak/small-disk.ts';

const url = 'http://127.0.0.1:1';
const tapping = (place: Place) => tappingProcess({ place, url, token: 'x' });
const step = (name: string): Act => ({ kind: 'step', name, interruption: false });

test('[STORAGE-85] while a process has the file open another one is refused, and the kill of the process ends that', async () => {
  const folder = newFolder();
  const process = tapping({ folder, storage: 'sqlite' });
  await process.ask('map');
  const open = () => device({ name: 'device', url, storage: nodeStorage(join(folder, deviceFile)) });
  await expect(open()).rejects.toMatchObject({ code: 'storage_in_use' });
  await process.kill();
  await open();
});

test.skipIf(!canMount())(
  '[STORAGE-88] a device on a full disk refuses taps, opens on it with all earlier ones, and goes on once there is room',
  async () => {
    const disk = await openSmallDisk();
    const [runner = '', ...args] = disk.runner;
    execFileSync(runner, [...args, 'mkdir', disk.folder]);
    const place = { folder: disk.folder, storage: 'sqlite', runner: disk.runner } as const;
    const first = tapping(place);
    const mapId = await first.ask<string>('map');
    const act = (process: TappingProcess, one: Act) => process.ask<string | null>('act', { mapId, act: one });
    const steps = async (process: TappingProcess) => (await process.ask<Shown>('shown', { mapId })).under?.steps;
    await act(first, { kind: 'start' });
    disk.fill();
    const taken: string[] = [];
    let refusal: string | null = null;
    while (refusal === null && taken.length < tapsMax) {
      const name = `step ${taken.length}`;
      refusal = await act(first, step(name));
      if (refusal === null) taken.push(name);
    }
    expect(refusal).toBe('storage_full');
    const shown = taken.map((name) => [name, '']);
    expect(await steps(first)).toEqual(shown);
    await first.kill();

    const second = tapping(place);
    expect(await steps(second)).toEqual(shown);
    expect(await act(second, step('without room'))).toBe('storage_full');
    disk.free();
    expect(await act(second, step('with room'))).toBeNull();
    await second.kill();

    const third = tapping(place);
    expect(await steps(third)).toEqual([...shown, ['with room', '']]);
    await third.kill();
  },
);

const tapsMax = 1_000;
