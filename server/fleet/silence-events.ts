/**
 * Writes an event for each device that became silent. Several server processes may do so at the same time: each event
 * is decided under the account's lock.
 *
 *   10 minutes after the start, then hourly: find silent devices ─► for each account one transaction with its events
 */
import { runCredentialTransaction } from '../auth/credential-transaction.ts';
import { operatorActor } from '../core/caller.ts';
import { startPeriodicWork } from '../core/periodic-work.ts';
import { successReply } from '../core/reply.ts';
import type { World } from '../core/world.ts';
import type { DeviceRowKey } from '../store/credentials/device-status.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import { healthCutoffsAt, type HealthThresholds } from './device-health.ts';

const minuteMs = 60 * 1000;
const firstSearchMs = 10 * minuteMs;
const searchIntervalMs = 60 * minuteMs;
const devicesPerSearch = 500;
/**
 * A device that is silent for longer gets no event, since events are kept no longer than this. So a server reports no
 * old silence after its first update to this version.
 */
const silenceMsMax = 30 * 24 * 60 * minuteMs;

interface SilenceServices {
  store: Store;
  world: World;
  healthThresholds: HealthThresholds;
}

interface SearchOptions {
  signal?: AbortSignal;
  /** Called with each error in one account. The search goes on with the next account. */
  onBug(error: unknown): void;
}

/** Rejects with `StoreUnavailable` if the database fails. The next search then finds the remaining devices. */
export async function addSilenceEvents(services: SilenceServices, { signal, onBug }: SearchOptions): Promise<void> {
  const { store, world, healthThresholds } = services;
  const { silentSeenMax } = healthCutoffsAt(healthThresholds, world.now());
  const silentSeenMin = new Date(Date.parse(silentSeenMax) - silenceMsMax).toISOString();
  for (;;) {
    const found = await store.silentDevices({ silentSeenMax, silentSeenMin, limit: devicesPerSearch });
    let added = 0;
    for (const [accountId, deviceIds] of groupByAccount(found)) {
      if (signal?.aborted) return;
      added += await addAccountEvents(services, { accountId, deviceIds, silentSeenMax }).catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        onBug(error);
        return 0;
      });
    }
    // Stop if no event was added. If all found devices were seen meanwhile, the same search could find them for ever.
    if (found.length < devicesPerSearch || added === 0) return;
  }
}

interface SilentDevices {
  accountId: string;
  deviceIds: string[];
  silentSeenMax: string;
}

async function addAccountEvents(
  services: SilenceServices,
  { accountId, deviceIds, silentSeenMax }: SilentDevices,
): Promise<number> {
  let added = 0;
  await runCredentialTransaction(
    services,
    { accountId, tokenHash: null, actor: operatorActor },
    {
      readSet: { deviceIds },
      decide(credentials, now) {
        const devices = deviceIds.flatMap((id) => credentials.device(id) ?? []);
        for (const device of devices) credentials.addSilence(device, { seenMax: silentSeenMax, now });
        added = credentials.events.length;
        return successReply(200, {});
      },
    },
  );
  return added;
}

function groupByAccount(keys: DeviceRowKey[]): Map<string, string[]> {
  const devices = new Map<string, string[]>();
  for (const { accountId, deviceId } of keys) devices.set(accountId, [...(devices.get(accountId) ?? []), deviceId]);
  return devices;
}

/** Returns a function that stops the searches and resolves once none is running. */
export function startSilenceSearches(services: SilenceServices, onBug: (error: unknown) => void): () => Promise<void> {
  const work = (signal: AbortSignal) => addSilenceEvents(services, { signal, onBug });
  return startPeriodicWork({ work, firstMs: firstSearchMs, pauseMs: searchIntervalMs, onBug }).stop;
}
