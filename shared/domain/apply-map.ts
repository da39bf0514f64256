import type { MapDoc } from '../schema/map.ts';
import { fieldsOf } from './fields-of.ts';
import { findMap, findLiveMap, mapCapRefusal } from './guards.ts';
import { newMap } from './map.ts';
import { applied, idTakenRefusal } from './outcome.ts';
import type { MutationRule } from './state.ts';

const create_map: MutationRule<'create_map'> = (state, { map_id, ...fields }, { now }) => {
  if (state.map(map_id)) return idTakenRefusal('map_id', map_id);
  const capped = mapCapRefusal(state);
  if (capped) return capped;
  return applied({ map: newMap(map_id, fields, now) }, { mapId: map_id });
};

const update_map: MutationRule<'update_map'> = (state, { map_id, ...patch }, { now }) => {
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  const map = found.record;
  const changed: MapDoc = { ...map, ...patch, name: patch.name?.trim() ?? map.name };
  const differs = fieldsOf(patch).some((field) => changed[field] !== map[field]);
  return applied(differs ? { map: { ...changed, updated_at: now } } : {}, { mapId: map_id });
};

const delete_map: MutationRule<'delete_map'> = (state, { map_id }, { now }) => {
  const found = findMap(state, map_id);
  if (!found.ok) return found;
  if (found.record.deleted) return applied({}, { mapId: map_id });
  return applied({ map: { ...found.record, deleted: true, deleted_at: now, updated_at: now } }, { mapId: map_id });
};

const restore_map: MutationRule<'restore_map'> = (state, { map_id }, { now }) => {
  const found = findMap(state, map_id);
  if (!found.ok) return found;
  if (!found.record.deleted) return applied({}, { mapId: map_id });
  const capped = mapCapRefusal(state);
  if (capped) return capped;
  return applied({ map: { ...found.record, deleted: false, deleted_at: null, updated_at: now } }, { mapId: map_id });
};

export const mapMutationRules = { create_map, update_map, delete_map, restore_map };
