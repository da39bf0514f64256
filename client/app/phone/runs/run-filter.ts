import { tagKey, type RunRecord } from '../../../client.ts';

export interface RunFilter {
  sort: 'number' | 'total' | 'date';
  /** `from` and `to` are the first and the last day, as YYYY-MM-DD; '' for no limit. */
  from: string;
  to: string;
  /** The key of a tag; '' for any tag. */
  tag: string;
  /** The id of a device, or `apiDeviceValue`; '' for any device. */
  device: string;
  excluded: 'all' | 'counted' | 'excluded';
}

export const noFilter: RunFilter = { sort: 'number', from: '', to: '', tag: '', device: '', excluded: 'all' };

/** The value of `RunFilter.device` for runs without a device, which a program sent with an API key. */
export const apiDeviceValue = 'api';

export const deviceFilterValue = ({ device_id }: Pick<RunRecord, 'device_id'>): string => device_id ?? apiDeviceValue;

/** Returns each tag of the runs once, with its key. If runs spell a tag differently, the newest run decides. */
export function tagsOfRuns(runs: readonly RunRecord[]): [key: string, tag: string][] {
  const tags = new Map<string, string>();
  for (const tag of runs.flatMap((run) => run.tags ?? [])) if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const startedAtMs = ({ started_at, created_at }: RunRecord): number => Date.parse(started_at ?? created_at);

const descendingSortKeyOf: Record<RunFilter['sort'], (run: RunRecord) => number> = {
  number: ({ number }) => number,
  total: ({ total_time_secs }) => total_time_secs,
  date: startedAtMs,
};

export function filterAndSortRuns<Run extends RunRecord>(runs: readonly Run[], filter: RunFilter): Run[] {
  const { sort, from, to, tag, device, excluded } = filter;
  const firstMs = from === '' ? Number.NEGATIVE_INFINITY : Date.parse(`${from}T00:00`);
  const lastMs = to === '' ? Number.POSITIVE_INFINITY : Date.parse(`${to}T23:59:59.999`);
  const rank = descendingSortKeyOf[sort];
  return runs
    .filter((run) => {
      const isExcluded = Boolean(run.excluded);
      return (
        startedAtMs(run) >= firstMs &&
        startedAtMs(run) <= lastMs &&
        (tag === '' || (run.tags ?? []).some((one) => tagKey(one) === tag)) &&
        (device === '' || deviceFilterValue(run) === device) &&
        (excluded === 'all' || isExcluded === (excluded === 'excluded'))
      );
    })
    .toSorted((a, b) => rank(b) - rank(a));
}

/**
 * Sorts runs for the bars of a chart. In the order by total time, the longest run comes first. In the order by number
 * or by date, the oldest run comes first.
 */
export function sortRunsForChart<Run extends RunRecord>(runs: readonly Run[], sort: RunFilter['sort']): Run[] {
  if (sort === 'total') return filterAndSortRuns(runs, { ...noFilter, sort });
  return filterAndSortRuns(runs.toReversed(), { ...noFilter, sort }).toReversed();
}

/** Parses the stored order. Returns the default for any unknown text. */
export const parseRunSort = (text: string | undefined): RunFilter['sort'] =>
  text === 'total' || text === 'date' ? text : noFilter.sort;
