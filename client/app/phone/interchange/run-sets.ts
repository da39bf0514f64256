/**
 * The sets of runs that a person can choose to export: selected runs, the runs a filter shows, or all runs of the map.
 */
import type { RunRecord } from '../../../client.ts';

/**
 * The ids of the runs in each set. The set of all runs needs no ids. If `one` is present, the form offers only `one`.
 */
export interface RunSets {
  selected?: readonly number[];
  /** The runs that the filter of the screen shows. */
  shown?: readonly number[];
  /** A single run, if the export begins on the screen of this run. */
  one?: readonly number[];
}

export type RunSetName = keyof RunSets | 'all';

export interface OfferedRunSet<Run> {
  name: RunSetName;
  runs: readonly Run[];
}

/** Returns the sets to offer, the default first. Leaves out empty sets, and a filter's set if it has all runs. */
export function offeredRunSetsOf<Run extends Pick<RunRecord, 'id'>>(
  runs: readonly Run[],
  { one, selected = [], shown = [] }: RunSets,
): OfferedRunSet<Run>[] {
  const only = (ids: readonly number[]): Run[] => {
    const wanted = new Set(ids);
    return runs.filter(({ id }) => wanted.has(id));
  };
  if (one) return [{ name: 'one', runs: only(one) }];
  const parts: OfferedRunSet<Run>[] = [
    { name: 'selected', runs: only(selected) },
    { name: 'shown', runs: shown.length < runs.length ? only(shown) : [] },
  ];
  return [...parts.filter((part) => part.runs.length > 0), { name: 'all', runs }];
}
