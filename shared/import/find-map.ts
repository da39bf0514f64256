/** Finds the map of each recording in a file, or decides to create it. */
import { nameLengthMax } from '../schema/limits.ts';
import type { ImportErrorInfo, ErrorList } from './error-list.ts';
import type { FileRecording, ImportChecks, MapReference } from './file-recording.ts';
import type { Sha256 } from './session-id.ts';
import { similarNameFinder } from './similar-names.ts';

/** The part of an account that an import needs to find maps. */
export interface ImportAccount {
  /** All maps, including those in the recycle bin. */
  maps: readonly AccountMap[];
  /** How many more maps the plan allows; undefined if unknown, as on a device. */
  moreMapsMax: number | undefined;
}

export interface AccountMap {
  id: string;
  name: string;
  archived: boolean;
  deleted: boolean;
  stage_count: number;
}

export interface FoundMap {
  id: string;
  name: string;
  isNew: boolean;
  hasStages: boolean;
}

interface FinderOptions {
  account: ImportAccount;
  createMaps: boolean;
  checks: ImportChecks;
  sha256: Sha256;
  errors: ErrorList;
}

type MapFinding =
  | { ok: true; map: FoundMap }
  | { ok: false; column: 'id' | 'name'; error: ImportErrorInfo }
  | { ok: false; column: 'name'; invalid: string };

/**
 * Returns a function that finds the map of a recording. If a map cannot be found or created, the function adds
 * an error at the map's first recording.
 */
export function mapFinder({ account, createMaps, checks, sha256, errors }: FinderOptions) {
  const byId = new Map(account.maps.map((map) => [map.id, map]));
  const byName = groupByName(account.maps);
  const findSimilar = similarNameFinder(account.maps);
  const findings = new Map<string, MapFinding>();
  let moreMaps = account.moreMapsMax ?? Infinity;

  async function find({ id, name }: MapReference): Promise<MapFinding> {
    const known = byId.get(id);
    if (known?.deleted)
      return { ok: false, column: 'id', error: { code: 'map_deleted', params: { map_name: known.name } } };
    if (known) return foundMapOf(known);
    if (name === '') return { ok: false, column: 'id', error: { code: 'map_unknown' } };
    const [named, other] = byName.get(name) ?? [];
    if (other) return { ok: false, column: 'name', error: { code: 'map_ambiguous' } };
    if (named) return foundMapOf(named);
    return createMaps ? planNewMap(name) : { ok: false, column: 'name', error: { code: 'map_missing' } };
  }

  /** Plans a new map. Its id is derived from the name, so that two imports at the same time create one map. */
  async function planNewMap(name: string): Promise<MapFinding> {
    let map_id: string;
    let attempt = 0;
    do map_id = importedMapId(await sha256(JSON.stringify(['imported map', name, attempt++])));
    while (byId.has(map_id));
    const [error] = checks.newMap({ map_id, name });
    if (error) return { ok: false, column: 'name', invalid: error.message };
    if (moreMaps === 0) return { ok: false, column: 'name', error: { code: 'map_cap_reached' } };
    moreMaps -= 1;
    return { ok: true, map: { id: map_id, name, isNew: true, hasStages: false } };
  }

  /**
   * The first unknown id that the file gives for each map name. A second unknown id for a name is refused, since the
   * two ids are two maps of another account, which must not be merged.
   */
  const unknownIds = new Map<string, { id: string; line: number }>();
  const hasConflictingId = ({ map, line, mapColumns }: FileRecording): boolean => {
    if (map.id === '' || map.name === '' || byId.has(map.id)) return false;
    const earlier = unknownIds.get(map.name) ?? { id: map.id, line };
    unknownIds.set(map.name, earlier);
    if (earlier.id === map.id) return false;
    errors.add({ line, column: mapColumns.id }, { code: 'map_name_of_two', params: { other_line: earlier.line } });
    return true;
  };

  return async (recording: FileRecording): Promise<FoundMap | undefined> => {
    if (hasConflictingId(recording)) return undefined;
    const { map, line, mapColumns } = recording;
    const key = JSON.stringify(byId.has(map.id) || map.name === '' ? [map.id] : ['', map.name]);
    const known = findings.get(key);
    const finding = known ?? (await find(map));
    findings.set(key, finding);
    const isNewName = finding.ok ? finding.map.isNew : 'error' in finding && finding.error.code === 'map_missing';
    const similar = !known && isNewName ? findSimilar(map.name, line) : undefined;
    if (similar) errors.warn({ line, column: mapColumns.name }, similar);
    if (finding.ok) return finding.map;
    if (known) return undefined;
    const place = { line, column: mapColumns[finding.column] };
    if ('error' in finding) errors.add(place, finding.error);
    else errors.addInvalid(place, { code: 'name_invalid', params: { limit: nameLengthMax } }, finding.invalid);
    return undefined;
  };
}

const foundMapOf = ({ id, name, stage_count }: AccountMap): MapFinding => ({
  ok: true,
  map: { id, name, isNew: false, hasStages: stage_count > 0 },
});

function groupByName(maps: readonly AccountMap[]): ReadonlyMap<string, AccountMap[]> {
  const byName = new Map<string, AccountMap[]>();
  for (const map of maps) {
    if (map.deleted || map.archived) continue;
    const same = byName.get(map.name);
    if (same) same.push(map);
    else byName.set(map.name, [map]);
  }
  return byName;
}

/** Makes a UUID of version 8 (RFC 9562, 5.8) from a hash in hex. No other code makes a map id of this version. */
function importedMapId(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
