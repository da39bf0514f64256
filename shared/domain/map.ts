import type { FullMap, MapDoc, MapRecord, NewMap } from '../schema/map.ts';
import type { Stage } from '../schema/stage.ts';
import { analyticsOf } from './analytics.ts';

/** Returns a new map without stages. The caller sets the versions when it stores the map. */
export function newMap(id: string, fields: Omit<NewMap, 'id'>, now: string): MapDoc {
  return {
    id,
    name: fields.name.trim(),
    industry: fields.industry ?? '',
    description: fields.description ?? '',
    state: fields.state ?? 'current',
    archived: false,
    deleted: false,
    deleted_at: null,
    created_at: now,
    updated_at: now,
    version: 0,
    created_version: 0,
    stage_count: 0,
    run_count: 0,
    last_run_at: null,
    last_run_number: 0,
    stages: [],
  };
}

export function withStages(map: MapDoc, stages: Stage[]): MapDoc {
  return { ...map, stages, stage_count: stages.length };
}

/** Returns the map without its stages, as lists show it. */
export function withoutStages({ stages: _stages, ...record }: MapRecord & { stages?: Stage[] }): MapRecord {
  return record;
}

/** Returns the map with its analytics, as `GET /maps/{id}` shows it. */
export function toFullMap(map: MapDoc): FullMap {
  return { ...map, analytics: analyticsOf(map) };
}
