/** The checks that several rules share. A check returns the record that it looked up, or a refusal. */
import { deviceMadeIdMin, mapsOfFreePlanMax } from '../schema/limits.ts';
import type { MapDoc } from '../schema/map.ts';
import { idTakenRefusal, validationRefusal, refused } from './outcome.ts';
import type { Refused, DomainState } from './state.ts';

type RecordOrRefusal<Thing> = { ok: true; record: Thing } | Refused;

export function findMap(state: Pick<DomainState, 'map'>, mapId: string): RecordOrRefusal<MapDoc> {
  const record = state.map(mapId);
  return record ? { ok: true, record } : refused('map_not_found', `There is no map ${mapId}.`);
}

/** Finds a map that may be changed: it exists and is not in the recycle bin. */
export function findLiveMap(state: Pick<DomainState, 'map'>, mapId: string): RecordOrRefusal<MapDoc> {
  const found = findMap(state, mapId);
  return found.ok && found.record.deleted
    ? refused('map_deleted', `The map "${found.record.name}" is in the recycle bin; restore it first.`)
    : found;
}

/** Refuses one more map if the account has reached the limit of the free plan. */
export function mapCapRefusal(state: Pick<DomainState, 'mapUsage'>): Refused | undefined {
  const cap = state.mapUsage();
  if (!cap || cap.plan !== 'free' || cap.liveMaps < mapsOfFreePlanMax) return undefined;
  return refused('map_cap_reached', `The free plan has room for ${mapsOfFreePlanMax} maps.`, {
    members: { limit: mapsOfFreePlanMax, plan: cap.plan },
  });
}

/** Refuses the first device-made id of `stage_ids` that is taken, or that lies in the range of server-made ids. */
export function deviceMadeStageIdsRefusal(
  state: Pick<DomainState, 'isStageIdTaken'>,
  mapId: string,
  deviceMadeIds: readonly number[] = [],
): Refused | undefined {
  for (const [index, id] of deviceMadeIds.entries()) {
    const isTaken = state.isStageIdTaken(mapId, id);
    const refusal = deviceMadeIdRefusal({ field: 'stage_ids', path: `/stage_ids/${index}`, id, isTaken });
    if (refusal) return refusal;
  }
  return undefined;
}

interface DeviceMadeIdField {
  field: 'stage_id' | 'run_id' | 'stage_ids';
  /** A JSON Pointer to the field that holds the id. */
  path: string;
  id: number;
  isTaken: boolean;
}

/** Refuses a device-made id that another record has or had, or that lies in the range of server-made ids. */
export function deviceMadeIdRefusal({ field, path, id, isTaken }: DeviceMadeIdField): Refused | undefined {
  if (isTaken) return idTakenRefusal(field, id);
  if (id < deviceMadeIdMin)
    return validationRefusal([{ path, message: `an id made by a client is at least ${deviceMadeIdMin}` }]);
  return undefined;
}
