/** Selects the runs of an export, and refuses too many of them before anything is written. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { byArrival } from '../../shared/export/exported-run.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { RunSnapshot, RunSummary } from '../store/snapshot/run-snapshot.ts';

/** The criteria by which runs are selected. A run must meet all given criteria. */
export interface RunSelection {
  mapId?: string;
  /** The run began at this instant or later. A run without `started_at` is taken to begin at `created_at`. */
  from?: string;
  /** The run began before this instant. */
  to?: string;
  runIds?: readonly number[];
}

export type SelectedRun = Pick<RunSummary, 'id' | 'created_at' | 'bytes'>;

/** Limits the stored bytes of the runs of one export. The file may be several times as large. */
const exportBytesMax = 256 * 1024 * 1024;

interface SelectionLimits {
  stepsMax: number;
  bytesMax?: number;
}

export async function selectRuns(
  snapshot: RunSnapshot,
  selection: RunSelection,
  { stepsMax, bytesMax = exportBytesMax }: SelectionLimits,
): Promise<{ ok: true; runs: SelectedRun[] } | RefusedRequest> {
  const runs: SelectedRun[] = [];
  let [steps, bytes] = [0, 0];
  const missing = new Set(selection.runIds);
  const matches = matcherOf(selection);
  for await (const page of pagesOf(snapshot, selection)) {
    for (const run of page) {
      missing.delete(run.id);
      if (!matches(run)) continue;
      steps += run.step_count;
      bytes += run.bytes;
      if (steps > stepsMax) return tooManyStepsRefusal(stepsMax);
      if (bytes > bytesMax) return tooManyBytesRefusal(bytesMax);
      runs.push({ id: run.id, created_at: run.created_at, bytes: run.bytes });
    }
  }
  if (missing.size > 0) {
    const ids = [...missing];
    const detail = `There is no run ${ids.join(', ')}.`;
    return { ok: false, error: { code: 'run_not_found', detail, members: { missing: ids } } };
  }
  return { ok: true, runs: runs.toSorted(byArrival) };
}

/** A page of this many runs, without their steps, takes a few milliseconds. */
const runsPerPage = 1_000;

async function* pagesOf(snapshot: RunSnapshot, { mapId, runIds }: RunSelection): AsyncGenerator<RunSummary[]> {
  if (runIds) return yield await snapshot.summaries(runIds);
  let last: RunSummary | undefined;
  do {
    const limit = runsPerPage;
    const page: RunSummary[] = await (mapId === undefined
      ? snapshot.runsOfAccount({ limit, ...(last && { after: last }) })
      : snapshot.runsOfMap({ mapId, limit, ...(last && { after: last.number }) }));
    yield page;
    await nextTurn();
    last = page.length < limit ? undefined : page.at(-1);
  } while (last);
}

/** The runs of a map in the recycle bin are exported only if they are asked for by their ids. */
function matcherOf({ mapId, from, to, runIds }: RunSelection): (run: RunSummary) => boolean {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  return (run) => {
    const beganMs = Date.parse(run.started_at ?? run.created_at);
    return (
      beganMs >= fromMs &&
      beganMs < toMs &&
      (mapId === undefined || run.map_id === mapId) &&
      (runIds !== undefined || !run.isMapDeleted)
    );
  };
}

const tooManyStepsRefusal = (stepsMax: number): RefusedRequest => ({
  ok: false,
  error: {
    code: 'export_too_large',
    detail: `The runs have more than ${stepsMax} steps, the most that an export of this format has. Export a shorter time or one map.`,
    members: { limit: stepsMax },
  },
});

const tooManyBytesRefusal = (bytesMax: number): RefusedRequest => ({
  ok: false,
  error: {
    code: 'export_too_large',
    detail: `The runs have more than ${bytesMax} bytes, the most that an export has. Export a shorter time or one map.`,
    members: { limit_bytes: bytesMax },
  },
});
