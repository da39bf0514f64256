import type { MapRecord } from '../../client.ts';

/** Sorts maps by their last run, the latest first. */
export const sortedByLastRecorded = <Item extends MapRecord>(maps: readonly Item[]): Item[] =>
  maps.toSorted((a, b) => (b.last_run_at ?? '').localeCompare(a.last_run_at ?? ''));
