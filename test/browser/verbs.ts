/** Actions and waits in the page. */
import type { ScopedGemba, Status } from '../../client/client.ts';
import type { FullMap } from '../../shared/schema/map.ts';
import { pageVerb } from './in-page.ts';

export interface EngineOptions {
  /** null for a device that is to be paired. */
  token: string | null;
  /** The test fires the timers. */
  manualTimers?: boolean;
  /** The scope of a device that holds a part of the runs. */
  runsMax?: number;
  /** The device of this tab; those of one name are one device. */
  name?: string;
  /** The side that the device takes in a hand-over. */
  relay?: 'carrier' | 'handOver';
}

export const openEngine = pageVerb(async (options: EngineOptions) => {
  const { token, manualTimers = false, runsMax, name = 'device', relay } = options;
  const { clock, fire } = window.manualTimers();
  window.fire = fire;
  if (relay === 'carrier') window.carrier = window.relay.createCarrier();
  if (relay === 'handOver') window.handOver = window.relay.createHandOver();
  window.gemba = (await window.openGemba({
    name,
    url: location.origin,
    ...(token === null ? {} : { token }),
    ...(manualTimers ? { clock } : {}),
    ...(runsMax === undefined ? {} : { scope: window.runScope({ runsMax }) }),
    ...(relay === 'carrier' ? { carrier: window.carrier } : {}),
    ...(relay === 'handOver' ? { handOver: window.handOver } : {}),
  })) as ScopedGemba;
});

export const fire = pageVerb((ms: number) => window.fire(ms));

export const createMap = pageVerb(async (name: string) => (await window.gemba.createMap({ name })).map_id);

export const renameMap = pageVerb((mapId: string, name: string) => window.gemba.updateMap(mapId, { name }));

/** Adds all stages at once. */
export const addStages = pageVerb(async (mapId: string, stages: string[]) => {
  await Promise.all(stages.map((stage) => window.gemba.addStage(mapId, { stage })));
});

/** Resolves when the page shows the map with these fields. */
export const untilMapShown = pageVerb((mapId: string, fields: Partial<FullMap & { pending: boolean }>) =>
  window.eventually(
    window.gemba.map$(mapId),
    (map) => map !== undefined && Object.entries(fields).every(([name, value]) => map[name as 'name'] === value),
  ),
);

export const untilServerHasCustody = pageVerb((session: string) =>
  window.eventually(window.gemba.custody$(session), (custody) => custody === 'server'),
);

export const untilIdle = pageVerb(() =>
  window.eventually(window.gemba.status$, ({ phase, pending }) => phase === 'idle' && pending === 0),
);

export const syncNow = pageVerb(() => window.gemba.sync());

export const status = pageVerb(() => window.current(window.gemba.status$));

export const untilStatusShown = pageVerb((fields: Partial<Status>) =>
  window.eventually(window.gemba.status$, (shown) =>
    Object.entries(fields).every(([name, value]) => shown[name as keyof Status] === value),
  ),
);
