/** The names of the account's devices by device id. Devices of one name get numbers, so that no two names are equal. */
import { useEffect, useState } from 'preact/hooks';
import type { Gemba, PairedDevice } from '../../../client.ts';
import { GembaError } from '../../../client.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

export type DeviceNames = ReadonlyMap<string, string>;

/** A device whose `name` no other device of the account has. */
export interface DistinctDevice extends PairedDevice {
  /** The name as a person typed it, without a number. */
  given_name: string;
}

/**
 * Returns the distinct name of each device by its id. If several devices have one name, all but the first paired get a
 * number: Watch 2. Revoked devices count, too, so that pairing or revoking a device changes no other name.
 */
export function distinctNamesOf(newestFirst: readonly Pick<PairedDevice, 'id' | 'name'>[]): DeviceNames {
  const taken = new Set<string>();
  return new Map(
    newestFirst.toReversed().map(({ id, name }) => {
      let distinct = name;
      for (let nth = 2; taken.has(normalizeName(distinct)); nth++) distinct = `${name} ${nth}`;
      taken.add(normalizeName(distinct));
      return [id, distinct];
    }),
  );
}

const normalizeName = (name: string): string => name.trim().toLocaleLowerCase();

const storageKey = 'gemba-device-names';

type DeviceSource = Pick<Gemba, 'devices'>;

const latestRequestBySource = new WeakMap<DeviceSource, { sentAtMs: number; devices: Promise<DistinctDevice[]> }>();

/**
 * Requests the devices, gives them distinct names, and stores the names so that this device can show them without the
 * server. A failed request does not count as the latest request: `loadRecentDeviceNames` then sends a new request at
 * once.
 */
export function listDistinctDevices(gemba: DeviceSource, nowMs = performance.now()): Promise<DistinctDevice[]> {
  const request = async () => {
    const devices = await gemba.devices();
    const names = distinctNamesOf(devices);
    writePageStorage('localStorage', storageKey, JSON.stringify([...names]));
    return devices.map((device) => ({
      ...device,
      name: names.get(device.id) ?? device.name,
      given_name: device.name,
    }));
  };
  const devices = request();
  latestRequestBySource.set(gemba, { sentAtMs: nowMs, devices });
  devices.catch(() => {
    if (latestRequestBySource.get(gemba)?.devices === devices) latestRequestBySource.delete(gemba);
  });
  return devices;
}

const namesRequestIntervalMsMin = 60_000;

/** Returns the names of the latest request to the server. Sends a new request if the latest is over a minute old. */
export async function loadRecentDeviceNames(gemba: DeviceSource, nowMs: number): Promise<DeviceNames> {
  const latest = latestRequestBySource.get(gemba);
  const isRecent = latest && nowMs - latest.sentAtMs < namesRequestIntervalMsMin;
  const devices = await (isRecent ? latest.devices : listDistinctDevices(gemba, nowMs));
  return new Map(devices.map(({ id, name }) => [id, name]));
}

/**
 * Returns the stored names at once, and later the server's names. Asks the server again when this device comes online.
 * Does not ask the server if `neededId` is null or has a stored name.
 */
export function useDeviceNames(neededId?: string | null): DeviceNames {
  const gemba = useGemba();
  const [names, setNames] = useState<DeviceNames>(readStoredNames);
  const isOffline = useValue(gemba.status$)?.phase === 'offline';
  useEffect(() => {
    if (neededId === null || (neededId !== undefined && names.has(neededId))) return undefined;
    let isCurrent = true;
    loadRecentDeviceNames(gemba, performance.now()).then(
      (answered) => {
        if (isCurrent) setNames(answered);
      },
      (error: unknown) => {
        if (!(error instanceof GembaError)) throw error;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [gemba, neededId, isOffline]);
  return names;
}

function readStoredNames(): DeviceNames {
  try {
    const pairs: unknown = JSON.parse(readPageStorage('localStorage', storageKey) ?? '[]');
    return new Map(Array.isArray(pairs) ? pairs.filter(isPairOfTexts) : []);
  } catch {
    return new Map();
  }
}

const isPairOfTexts = (pair: unknown): pair is [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string');
