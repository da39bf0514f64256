/**
 * Loads runs that a device with a scope does not hold. Stores them only if the device's cursor has not changed since
 * the request. The write includes the cursor row, so a pull of another tab makes the write conflict.
 */
import type { RunsResponse } from '../../../shared/protocol/runs-on-demand.ts';
import { runsPerLoadMax } from '../../../shared/schema/limits.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { GembaError } from '../../core/errors.ts';
import { cursorRowId, recordRowId, type CursorBody, type RecordBody } from '../../storage/rows.ts';
import { WriteConflict, type Table } from '../../storage/table.ts';
import type { Base } from '../../view/base.ts';
import { requestRuns, type RunsRequestOptions } from '../net/runs-request.ts';
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
/**
 * One call asks the server for at most this many gaps in the run numbers on the device. Deleted runs leave gaps, too.
 */
const gapsMax = 20;
/** Limits the attempts of a load. A load starts again if the device has pulled meanwhile. */
const attemptsMax = 5;
const pagesMax = 200;

/** The server refuses ids that are no positive integers. A link may contain such an id, but no run has it. */
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

/** Loads the map's missing runs with the highest numbers, about 100. */
export async function loadRunsOfMap(options: LoadRunsOptions, mapId: string): Promise<void> {
  const { base } = options;
  const held = () => base.runIdsOfMap.get(mapId)?.size ?? 0;
  const before = held();
  let from = base.maps.get(mapId)?.last_run_number ?? 0;
  for (let gaps = 0; gaps < gapsMax && held() - before < runsPerCall; gaps++) {
    const gap = highestGap(heldRunNumbers(base, mapId), from + 1);
    if (gap === undefined) return;
    await loadAndStore(options, { mapId, before: gap.before, limit: Math.min(runsPerCall, gap.count) });
    from = gap.before - gap.count - 1;
  }
}

const heldRunNumbers = (base: Base, mapId: string): Set<number> =>
  new Set([...(base.runIdsOfMap.get(mapId) ?? [])].flatMap((id) => base.runs.get(id)?.number ?? []));

/**
 * Finds the highest gap below the argument `before`: consecutive run numbers that the device lacks. Returns the length
 * of the gap (`count`), and the first number above the gap (`before`).
 */
export function highestGap(held: ReadonlySet<number>, before: number): { before: number; count: number } | undefined {
  let top = before;
  while (top > 1 && held.has(top - 1)) top--;
  if (top <= 1) return undefined;
  let bottom = top;
  while (bottom > 1 && !held.has(bottom - 1)) bottom--;
  return { before: top, count: top - bottom };
}

type RunsToLoad = Pick<RunsRequestOptions, 'ids' | 'mapId' | 'before' | 'limit'>;

async function loadAndStore(options: LoadRunsOptions, asked: RunsToLoad): Promise<void> {
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
    // A pull brings every run that changed after this cursor, such as the runs in `newer`.
    await sync();
    if (!isStored) continue;
    // Another tab may have pulled, so this tab reads its records.
    await records.refreshAllIfStale();
    if (base.cursor?.cursor !== cursor.cursor) return;
    break;
  }
  // Throws, since a caller would otherwise treat these runs as missing on the server.
  throw new GembaError({ code: 'unreachable', detail: 'The runs could not be loaded now. Try again.' });
}

/** Fetches all pages of runs by id, or the pages of a map's runs up to the limit. */
export async function fetchRuns(
  { transport, accountId, signal }: Pick<LoadRunsOptions, 'transport' | 'accountId' | 'signal'>,
  asked: RunsToLoad,
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
