/**
 * Loads runs that a device with a scope does not hold. Stores them only if the device's cursor is still the one of the
 * request: the write includes the cursor row, so it conflicts with another tab's pull.
 */
import type { RunsResponse } from '../../../shared/protocol/runs-on-demand.ts';
import { runsPerLoadMax } from '../../../shared/schema/limits.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { GembaError } from '../../core/errors.ts';
import { cursorRowId, recordRowId, type CursorBody, type RecordBody } from '../../storage/rows.ts';
import { WriteConflict, type Table } from '../../storage/table.ts';
import type { Base } from '../../view/base.ts';
import { requestRuns, type RunsOptions } from '../net/runs-request.ts';
import type { Transport } from '../net/transport.ts';

export interface LoadRunsOptions {
  base: Base;
  records: Table<RecordBody>;
  transport: Pick<Transport, 'requestJson'>;
  accountId: () => string | undefined;
  /** Runs one write of records at a time. */
  writeInTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs a round, so that the device has the runs that changed after its cursor. */
  sync: () => Promise<void>;
  signal: AbortSignal;
}

/** How many runs a call without ids loads. */
const runsPerCall = 100;
/** Limits the gaps in the run numbers that one call requests. Deleted runs leave gaps, too. */
const gapsMax = 20;
/** Limits the attempts of a load, which starts again after a pull in between. */
const attemptsMax = 5;
const pagesMax = 200;

/** The server refuses other numbers. A link may name one, but no run has it. */
const isRunId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

/** Loads the runs with these ids. Resolves to the ids of runs that do not exist. */
export async function loadRunsByIds(options: LoadRunsOptions, ids: readonly number[]): Promise<number[]> {
  const missing = () => ids.filter((id) => !options.base.runs.has(id));
  for (let first = 0; first < ids.length; first += runsPerLoadMax) {
    const chunk = ids.slice(first, first + runsPerLoadMax).filter((id) => isRunId(id) && !options.base.runs.has(id));
    if (chunk.length > 0) await loadAndStore(options, { ids: chunk });
  }
  return missing();
}

/** Loads about 100 of the newest runs of the map that are not on the device. */
export async function loadRunsOfMap(options: LoadRunsOptions, mapId: string): Promise<void> {
  const { base } = options;
  const held = () => base.runIdsOfMap.get(mapId)?.size ?? 0;
  const before = held();
  let from = base.maps.get(mapId)?.last_run_number ?? 0;
  for (let gaps = 0; gaps < gapsMax && held() - before < runsPerCall; gaps++) {
    const gap = newestGap(numbersOf(base, mapId), from + 1);
    if (gap === undefined) return;
    await loadAndStore(options, { mapId, before: gap.before, limit: Math.min(runsPerCall, gap.count) });
    from = gap.before - gap.count - 1;
  }
}

const numbersOf = (base: Base, mapId: string): Set<number> =>
  new Set([...(base.runIdsOfMap.get(mapId) ?? [])].flatMap((id) => base.runs.get(id)?.number ?? []));

/**
 * Finds the highest gap below `before`: `count` numbers in a row that the device lacks, all below the returned
 * `before`.
 */
export function newestGap(held: ReadonlySet<number>, before: number): { before: number; count: number } | undefined {
  let top = before;
  while (top > 1 && held.has(top - 1)) top--;
  if (top <= 1) return undefined;
  let bottom = top;
  while (bottom > 1 && !held.has(bottom - 1)) bottom--;
  return { before: top, count: top - bottom };
}

type RunsAsked = Pick<RunsOptions, 'ids' | 'mapId' | 'before' | 'limit'>;

async function loadAndStore(options: LoadRunsOptions, asked: RunsAsked): Promise<void> {
  const { base, records, sync, signal } = options;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    signal.throwIfAborted();
    const { cursor } = base;
    if (!cursor?.complete) {
      await sync();
      continue;
    }
    const { runs, newer, epoch } = await fetchRuns(options, asked, cursor);
    const isStored = epoch === cursor.epoch && (await storeRuns(options, runs, cursor));
    if (isStored && newer.length === 0) return;
    // A pull brings every run that changed after this cursor.
    await sync();
    if (!isStored) continue;
    // Another tab may have pulled instead.
    await records.refreshAllIfStale();
    if (base.cursor?.cursor !== cursor.cursor) return;
    break;
  }
  // Throws, so that no caller takes a run that was not loaded for one that does not exist.
  throw new GembaError({ code: 'unreachable', detail: 'The runs could not be loaded now. Try again.' });
}

/** Fetches all pages of runs by id, or the pages of a map's runs up to the limit. */
export async function fetchRuns(
  { transport, accountId, signal }: Pick<LoadRunsOptions, 'transport' | 'accountId' | 'signal'>,
  asked: RunsAsked,
  { cursor }: Pick<CursorBody, 'cursor'>,
): Promise<RunsResponse> {
  const runs: RunDoc[] = [];
  const newer: number[] = [];
  let page: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const account = accountId();
    const query = { ...asked, cursor, ...(account === undefined ? {} : { accountId: account }) };
    const { body, next } = await requestRuns(
      transport.requestJson,
      { ...query, ...(page === undefined ? {} : { page }) },
      signal,
    );
    runs.push(...body.runs);
    newer.push(...body.newer);
    const isEnough = asked.limit !== undefined && runs.length + newer.length >= asked.limit;
    if (next === undefined || isEnough) return { runs, newer, epoch: body.epoch };
    page = next;
  }
  throw new Error(`more than ${pagesMax} pages of runs`);
}

/** Stores the runs. Resolves to false if the device has pulled since `cursor`. */
function storeRuns({ base, records, writeInTurn }: LoadRunsOptions, runs: RunDoc[], cursor: CursorBody) {
  return writeInTurn(async () => {
    await records.refresh(cursorRowId);
    const current = base.cursor;
    if (current?.cursor !== cursor.cursor || current.epoch !== cursor.epoch) return false;
    const rows = runs
      .filter(({ id }) => !base.runs.has(id))
      .map((doc) => ({ id: recordRowId({ kind: 'run', id: doc.id }), body: { kind: 'run', doc } as const }));
    try {
      if (rows.length > 0) await records.write([...rows, { id: cursorRowId, body: current }]);
      return true;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      await records.refreshAll();
      return false;
    }
  });
}
