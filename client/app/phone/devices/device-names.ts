/** The names of the account's devices by device id, distinct from each other. */
import { useEffect, useState } from 'preact/hooks';
import type { Gemba, PairedDevice } from '../../../client.ts';
import { GembaError } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

export type DeviceNames = ReadonlyMap<string, string>;

/** Returns the name of each device by its id. Of devices with the same name, the later ones get a number: Watch 2. */
export function distinctNames(devices: readonly Pick<PairedDevice, 'id' | 'name' | 'paired_at'>[]): DeviceNames {
  const taken = new Set(devices.map(({ name }) => normalizedName(name)));
  const firstOfName = new Set<string>();
  const inOrder = devices.toSorted((a, b) => a.paired_at.localeCompare(b.paired_at));
  return new Map(
    inOrder.map(({ id, name }) => {
      if (!firstOfName.has(normalizedName(name))) {
        firstOfName.add(normalizedName(name));
        return [id, name];
      }
      let nth = 2;
      while (taken.has(normalizedName(`${name} ${nth}`))) nth++;
      taken.add(normalizedName(`${name} ${nth}`));
      return [id, `${name} ${nth}`];
    }),
  );
}

const normalizedName = (name: string): string => name.trim().toLocaleLowerCase();

const storageKey = 'gemba-device-names';

/** Lists the devices with distinct names, and remembers these names for a time when the server cannot be reached. */
export async function listDevices(gemba: Gemba): Promise<PairedDevice[]> {
  const devices = await gemba.devices();
  const names = distinctNames(devices);
  writePageStorage('localStorage', storageKey, JSON.stringify([...names]));
  return devices.map((device) => ({ ...device, name: names.get(device.id) ?? device.name }));
}

/** Returns the names from the server's answer, or from its previous answer until then; empty if there was none. */
export function useDeviceNames(): DeviceNames {
  const gemba = useGemba();
  const [names, setNames] = useState<DeviceNames>(rememberedNames);
  useEffect(() => {
    listDevices(gemba).then(
      (devices) => setNames(new Map(devices.map(({ id, name }) => [id, name]))),
      (error: unknown) => {
        if (!(error instanceof GembaError)) throw error;
      },
    );
  }, [gemba]);
  return names;
}

function rememberedNames(): DeviceNames {
  try {
    const pairs: unknown = JSON.parse(readPageStorage('localStorage', storageKey) ?? '[]');
    return new Map(Array.isArray(pairs) ? pairs.filter(isPairOfTexts) : []);
  } catch {
    return new Map();
  }
}

const isPairOfTexts = (pair: unknown): pair is [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string');
