/** The sets of runs among which a person chooses what a file has. */

/** The ids of the sets besides all runs of the map. With `one`, no other set is offered. */
export interface RunSets {
  selected?: readonly number[];
  /** The runs that a filter shows. */
  shown?: readonly number[];
  one?: readonly number[];
}

export type RunSetName = keyof RunSets | 'all';

export interface OfferedSet<Run> {
  name: RunSetName;
  runs: readonly Run[];
}

/** Leaves out a set without a run, and a filter that shows all runs. The first set is the one to begin with. */
export function offeredSets<Run extends Pick<RunRecord, 'id'>>(
  runs: readonly Run[],
  { one, selected = [], shown = [] }: RunSets,
): OfferedSet<Run>[] {
  const only = (ids: readonly number[]): Run[] => {
    const wanted = new Set(ids);
    return runs.filter(({ id }) => wanted.has(id));
  };
  if (one) return [{ name: 'one', runs: only(one) }];
  const parts: OfferedSet<Run>[] = [
    { name: 'selected', runs: only(selected) },
    { name: 'shown', runs: shown.length < runs.length ? only(shown) : [] },
  ];
  return [...parts.filter((part) => part.runs.length > 0), { name: 'all', runs }];
}
import type { RunRecord } from '../../../client.ts';
