/** Which runs a person sees when choosing runs, and in which order. */
import type { RunRecord } from '../../../../shared/schema/run.ts';

export interface RunFilter {
  sort: 'number' | 'total' | 'date';
  /** The first and the last day, as a date input gives them; empty for any. */
  from: string;
  to: string;
  /** Empty for any tag. */
  tag: string;
  /** The id of a device, `api` for runs of API keys; empty for any. */
  device: string;
  excluded: 'all' | 'counted' | 'excluded';
}

export const noFilter: RunFilter = { sort: 'number', from: '', to: '', tag: '', device: '', excluded: 'all' };

/** Stands for the missing device of a run that an API key sent. */
export const apiDevice = 'api';

export const deviceOf = ({ device_id }: Pick<RunRecord, 'device_id'>): string => device_id ?? apiDevice;

const beganAt = ({ started_at, created_at }: RunRecord): number => Date.parse(started_at ?? created_at);

const byDescending: Record<RunFilter['sort'], (run: RunRecord) => number> = {
  number: ({ number }) => number,
  total: ({ total_time_secs }) => total_time_secs,
  date: beganAt,
};

export function filteredRuns<Run extends RunRecord>(runs: readonly Run[], filter: RunFilter): Run[] {
  const { sort, from, to, tag, device, excluded } = filter;
  const firstMs = from === '' ? Number.NEGATIVE_INFINITY : Date.parse(`${from}T00:00`);
  const lastMs = to === '' ? Number.POSITIVE_INFINITY : Date.parse(`${to}T23:59:59.999`);
  const rank = byDescending[sort];
  return runs
    .filter((run) => {
      const isExcluded = Boolean(run.excluded);
      return (
        beganAt(run) >= firstMs &&
        beganAt(run) <= lastMs &&
        (tag === '' || (run.tags ?? []).includes(tag)) &&
        (device === '' || deviceOf(run) === device) &&
        (excluded === 'all' || isExcluded === (excluded === 'excluded'))
      );
    })
    .toSorted((a, b) => rank(b) - rank(a));
}
