/** The runs that a person marked for a comparison, by map. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { runsPerCompareMax, type RunRecord } from '../../client.ts';
import { comparedRunIdsAt } from './place.ts';

export type RunMarks = Readonly<Record<string, readonly number[]>>;

interface MarksContextValue {
  ofMap(mapId: string): readonly number[];
  set(mapId: string, runIds: readonly number[]): void;
  compare(mapId: string): void;
}

const marksContextDefault: MarksContextValue = { ofMap: () => [], set: () => undefined, compare: () => undefined };

export const MarksContext = createContext<MarksContextValue>(marksContextDefault);

export const useMarks = (): MarksContextValue => useContext(MarksContext);

/** Returns the ids of the newest runs that are not excluded, at most as many as one comparison may count. */
export function newestRunIdsOf(runs: readonly Pick<RunRecord, 'id' | 'number' | 'excluded'>[]): number[] {
  return runs
    .filter(({ excluded }) => !excluded)
    .toSorted((a, b) => b.number - a.number)
    .slice(0, runsPerCompareMax)
    .map(({ id }) => id);
}

/**
 * Holds the marks. If the page opens at the address of a comparison, the compared runs are marked from the start.
 */
export function useMarkState(path: string, mapId: string | undefined) {
  return useState<RunMarks>(() => (mapId === undefined ? {} : { [mapId]: comparedRunIdsAt(path) }));
}
