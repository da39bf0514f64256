/**
 * Keeps a map's former list of stages on this device after a change has replaced its stages, whether this device made
 * the change or a pull brought it.
 */
import { take } from 'rxjs/operators';
import type { FullMap, Gemba, Stage } from '../../client.ts';
import type { Face } from './engine.tsx';
import { readPageStorage, writePageStorage } from './page-storage.ts';

const storageKey = 'gemba-earlier-stages';
export const listsPerMapMax = 5;
/** The most UTF-16 code units of all stored lists: a fifth of a browser's limit for a site. Older lists are dropped. */
const storedLengthMax = 1_000_000;

export interface EarlierStages {
  map_id: string;
  /** When the stages were replaced, as an ISO time. */
  replaced_at: string;
  /** The number of the run whose recording replaced the stages; null if a person replaced them without a recording. */
  run_number: number | null;
  stages: Stage[];
}

type SeenMap = Pick<FullMap, 'version' | 'updated_at' | 'last_run_number' | 'stages'>;

/** Watches all maps until the engine closes. A watch has no screen that restores stages, so it keeps none. */
export function keepEarlierStages(gemba: Pick<Gemba, 'maps$' | 'map$'>, face: Face): void {
  if (face === 'watch') return;
  const seen = new Map<string, SeenMap>();
  gemba.maps$.subscribe((maps) => {
    for (const { id, version, updated_at } of maps) {
      const before = seen.get(id);
      if (before?.version === version && before.updated_at === updated_at) continue;
      // `map$` emits synchronously here, so no change comes between `maps` and the map.
      gemba
        .map$(id)
        .pipe(take(1))
        .subscribe((after) => {
          if (!after) return;
          seen.set(id, after);
          if (!before || !hasReplacedStages(before, after)) return;
          const { last_run_number, stages } = before;
          const run_number = after.last_run_number > last_run_number ? last_run_number + 1 : null;
          storeEarlierStages({ map_id: id, replaced_at: updated_at, run_number, stages });
        });
    }
  });
}

/**
 * Tells whether a change replaced stages. A recording replaced stages if a stage is gone or has lost its wait. An edit
 * by a person replaced stages if at least two stages changed at once; an added stage counts only if another stage is
 * gone or has lost its wait.
 */
export function hasReplacedStages(
  before: Pick<SeenMap, 'last_run_number' | 'stages'>,
  after: Pick<SeenMap, 'last_run_number' | 'stages'>,
): boolean {
  if (before.stages === after.stages) return false;
  const stageAfter = new Map(after.stages.map((stage) => [stage.id, stage]));
  let lost = 0;
  let retimed = 0;
  for (const { id, wait_time_hrs, cycle_time_hrs } of before.stages) {
    const kept = stageAfter.get(id);
    if (!kept || (wait_time_hrs > 0 && kept.wait_time_hrs === 0)) lost++;
    else if (kept.cycle_time_hrs !== cycle_time_hrs) retimed++;
  }
  if (after.last_run_number > before.last_run_number) return lost > 0;
  const idsBefore = new Set(before.stages.map(({ id }) => id));
  const added = after.stages.filter(({ id }) => !idsBefore.has(id)).length;
  return lost + retimed + (lost > 0 ? added : 0) > 1;
}

/** Returns the kept stage lists of a map, the latest first, without the lists that are equal to its present stages. */
export function earlierStagesOf({ id, stages }: Pick<FullMap, 'id' | 'stages'>): EarlierStages[] {
  const present = contentOf(stages);
  return readLists().filter((kept) => kept.map_id === id && contentOf(kept.stages) !== present);
}

function storeEarlierStages(list: EarlierStages): void {
  let lists = withEarlierStages(readLists(), list);
  while (lists.length > 0 && !writePageStorage('localStorage', storageKey, JSON.stringify(lists))) {
    lists = lists.slice(0, -1);
  }
}

/** Puts the list first. Drops an equal list of the map, which another tab may have kept, and lists over the limits. */
export function withEarlierStages(lists: readonly EarlierStages[], list: EarlierStages): EarlierStages[] {
  const content = contentOf(list.stages);
  const isOther = (kept: EarlierStages) => kept.map_id !== list.map_id || contentOf(kept.stages) !== content;
  let ofMap = 0;
  let length = 0;
  return [list, ...lists.filter(isOther)].filter((kept) => {
    if (kept.map_id === list.map_id && ++ofMap > listsPerMapMax) return false;
    length += JSON.stringify(kept).length;
    return length <= storedLengthMax;
  });
}

/** Leaves out the ids, since restored stages get new ones. */
const contentOf = (stages: readonly Stage[]): string =>
  JSON.stringify(
    stages.map(({ stage, cycle_time_hrs, wait_time_hrs, work_type }) => [
      stage,
      cycle_time_hrs,
      wait_time_hrs,
      work_type,
    ]),
  );

function readLists(): EarlierStages[] {
  try {
    const stored: unknown = JSON.parse(readPageStorage('localStorage', storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEarlierStages) : [];
  } catch {
    return [];
  }
}

const isEarlierStages = (value: unknown): value is EarlierStages =>
  value instanceof Object && 'map_id' in value && 'stages' in value && Array.isArray(value.stages);
