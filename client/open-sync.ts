/** Composes the parts of the engine that talk to the server. Loaded late, since a recording can start without them. */
import { map, type Observable } from 'rxjs';
import type { DeviceReport } from '../shared/protocol/device-report.ts';
import type { PullableKind } from '../shared/protocol/pullable-kinds.ts';
import type { DeviceKind } from '../shared/schema/auth.ts';
import type { TrustedClock } from './core/clock.ts';
import type { IdGenerator } from './core/ids.ts';
import type { Lifetime } from './core/lifetime.ts';
import type { Locks } from './core/locks.ts';
import type { DeviceVerbs } from './devices/device-verbs.ts';
import { deviceVerbsOnDemand } from './devices/load-device-verbs.ts';
import type { GembaOptions } from './gemba.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { DeviceTables } from './storage/device-tables.ts';
import type { Detour } from './sync/net/detour.ts';
import { deviceReporter } from './sync/net/device-report.ts';
import { requestFormsOf } from './sync/net/request-forms.ts';
import { httpTransport } from './sync/net/transport.ts';
import { Leader } from './sync/tabs/leader.ts';
import { status$, type Status, type DelayedFinishSource } from './sync/tabs/status.ts';
import { openTabChannel, type SyncSnapshot } from './sync/tabs/tab-channel.ts';
import { Tabs } from './sync/tabs/tabs.ts';
import type { AttachedScope } from './sync/scope/hooks.ts';
import type { View } from './view/view.ts';

interface OpenSyncOptions {
  options: GembaOptions;
  store: DeviceTables;
  outbox: Outbox;
  view: View;
  recordings: DelayedFinishSource;
  locks: Locks;
  clock: TrustedClock;
  ids: IdGenerator;
  lifetime: Lifetime;
  kind: DeviceKind;
  kinds: readonly PullableKind[];
  /** The scope of a device that pulls only a part of the runs. */
  scope: AttachedScope | undefined;
  detour: Detour;
  /** Called with the server's time of each response, in ISO 8601. */
  onTime(at: string): void;
  /** Called when nothing is left to sync. */
  onIdle(): void;
}

interface OpenedSync {
  status$: Observable<Status>;
  report$: Observable<DeviceReport | null>;
  /** Runs a round. `Lifetime.end` does not wait for it, since the server may never reply. */
  sync(): Promise<void>;
  deviceVerbs: DeviceVerbs;
  stop(): void;
}

export function openSync({
  options,
  store,
  outbox,
  view,
  recordings,
  locks,
  clock,
  ids,
  lifetime,
  kind,
  kinds,
  scope,
  detour,
  ...callbacks
}: OpenSyncOptions): OpenedSync {
  const { name, url } = options;
  const { pushEffects, packedPages } = requestFormsOf(options);
  const reporter =
    options.report === false
      ? undefined
      : deviceReporter({ wallMs: () => clock.wallMs(), unsettled: () => view.unsettled });
  const transport = httpTransport({
    ...(reporter === undefined ? {} : { reporter }),
    url,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    packedPages,
    detour,
    token: () => options.token ?? outbox.device.token,
    schedule: clock.schedule,
    onTime: callbacks.onTime,
  });
  const { records, storageHealth, journal } = store;
  const leaderOptions = {
    records,
    outbox,
    view,
    transport,
    clock,
    random: options.random ?? Math.random,
    kinds,
    asksEffects: pushEffects,
    scope: scope?.pull,
    detour,
    onIdle: callbacks.onIdle,
  };
  const lead = (snapshot: SyncSnapshot) => new Leader(leaderOptions, snapshot);
  // Reads all changes again, since the previous leader may have died between a write and its message to the other tabs.
  const onNewLeader = () => void Promise.all([records.refreshAllIfStale(), store.outbox.refreshAll()]).catch(() => {});
  const tabs = new Tabs({ channel: openTabChannel(name, options.tabs), locks, clock, ids, lead, onNewLeader });
  const sync = async () => (lifetime.signal.aborted ? undefined : tabs.requestRound());
  scope?.connect({ transport, sync });
  const currentStatus$ = status$({ sync: tabs, view, storageHealth, journal, recordings });
  const reporting = currentStatus$.subscribe((status) => reporter?.update(status));
  return {
    status$: currentStatus$,
    report$: currentStatus$.pipe(map((status) => reporter?.reportOf(status) ?? null)),
    sync,
    deviceVerbs: deviceVerbsOnDemand({
      transport,
      outbox,
      lifetime,
      ids,
      kind,
      onPaired: async (relayKeys) => {
        void sync();
        await options.handOver?.rememberKeys(relayKeys);
      },
    }),
    stop: () => {
      reporting.unsubscribe();
      tabs.stop();
    },
  };
}
