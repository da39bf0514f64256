import { tagKey, type RunRecord } from '../../../client.ts';

export interface RunFilter {
  sort: 'number' | 'total' | 'date';
  /** The first and the last day, as YYYY-MM-DD; '' for no limit. */
  from: string;
  to: string;
  /** The key of a tag; '' for any tag. */
  tag: string;
  /** The id of a device, or `apiDevice`; '' for any device. */
  device: string;
  excluded: 'all' | 'counted' | 'excluded';
}

export const noFilter: RunFilter = { sort: 'number', from: '', to: '', tag: '', device: '', excluded: 'all' };

/** The filter's value for runs without a device, which a program sent with an API key. */
export const apiDevice = 'api';

export const filterDeviceOf = ({ device_id }: Pick<RunRecord, 'device_id'>): string => device_id ?? apiDevice;

/** Returns the tags of the runs, each once, by their keys. A tag has the spelling of the newest run that has it. */
export function tagsOfRuns(runs: readonly RunRecord[]): [key: string, tag: string][] {
  const tags = new Map<string, string>();
  for (const tag of runs.flatMap((run) => run.tags ?? [])) if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const startedAtMs = ({ started_at, created_at }: RunRecord): number => Date.parse(started_at ?? created_at);

const descendingSortKeys: Record<RunFilter['sort'], (run: RunRecord) => number> = {
  number: ({ number }) => number,
  total: ({ total_time_secs }) => total_time_secs,
  date: startedAtMs,
};

export function filterAndSortRuns<Run extends RunRecord>(runs: readonly Run[], filter: RunFilter): Run[] {
  const { sort, from, to, tag, device, excluded } = filter;
  const firstMs = from === '' ? Number.NEGATIVE_INFINITY : Date.parse(`${from}T00:00`);
  const lastMs = to === '' ? Number.POSITIVE_INFINITY : Date.parse(`${to}T23:59:59.999`);
  const rank = descendingSortKeys[sort];
  return runs
    .filter((run) => {
      const isExcluded = Boolean(run.excluded);
      return (
        startedAtMs(run) >= firstMs &&
        startedAtMs(run) <= lastMs &&
        (tag === '' || (run.tags ?? []).some((one) => tagKey(one) === tag)) &&
        (device === '' || filterDeviceOf(run) === device) &&
        (excluded === 'all' || isExcluded === (excluded === 'excluded'))
      );
    })
    .toSorted((a, b) => rank(b) - rank(a));
}

/** Returns the runs in the order of a chart's bars: by number or date the oldest first, by total time the longest first. */
export function inChartOrder<Run extends RunRecord>(runs: readonly Run[], sort: RunFilter['sort']): Run[] {
  if (sort === 'total') return filterAndSortRuns(runs, { ...noFilter, sort });
  return filterAndSortRuns(runs.toReversed(), { ...noFilter, sort }).toReversed();
}

/** Reads a stored sort. Any other text is the default. */
export const parseSort = (text: string | undefined): RunFilter['sort'] =>
  text === 'total' || text === 'date' ? text : noFilter.sort;
