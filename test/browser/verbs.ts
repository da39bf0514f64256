/** What the tests have a page do and wait for. */
import type { Status } from '../../client/client.ts';
import type { FullMap } from '../../shared/schema/map.ts';
import { pageVerb } from './in-page.ts';

export interface EngineOptions {
  /** null when it is to be paired. */
  token: string | null;
  /** Its timers fire when the test says so. */
  manualTimers?: boolean;
}

export const openEngine = pageVerb(async ({ token, manualTimers = false }: EngineOptions) => {
  const { clock, fire } = window.manualTimers();
  window.fire = fire;
  window.gemba = await window.openGemba({
    name: 'device',
    url: location.origin,
    ...(token === null ? {} : { token }),
    ...(manualTimers ? { clock } : {}),
  });
});

export const fire = pageVerb((ms: number) => window.fire(ms));

export const createMap = pageVerb(async (name: string) => (await window.gemba.createMap({ name })).map_id);

export const renameMap = pageVerb((mapId: string, name: string) => window.gemba.updateMap(mapId, { name }));

/** All at once. */
export const addStages = pageVerb(async (mapId: string, stages: string[]) => {
  await Promise.all(stages.map((stage) => window.gemba.addStage(mapId, { stage })));
});

/** Resolves when the page shows the map so. */
export const mapShown = pageVerb((mapId: string, fields: Partial<FullMap & { pending: boolean }>) =>
  window.eventually(
    window.gemba.map$(mapId),
    (map) => map !== undefined && Object.entries(fields).every(([name, value]) => map[name as 'name'] === value),
  ),
);

export const custodyOfServer = pageVerb((session: string) =>
  window.eventually(window.gemba.custody$(session), (custody) => custody === 'server'),
);

export const idle = pageVerb(() =>
  window.eventually(window.gemba.status$, ({ phase, pending }) => phase === 'idle' && pending === 0),
);

export const syncNow = pageVerb(() => window.gemba.sync());

export const status = pageVerb(() => window.current(window.gemba.status$));

export const statusShown = pageVerb((fields: Partial<Status>) =>
  window.eventually(window.gemba.status$, (shown) =>
    Object.entries(fields).every(([name, value]) => shown[name as keyof Status] === value),
  ),
);
