/**
 * Carries out the online steps while the server serves.
 *
 *   claim ─┬─ another process has the lease: wait, claim again
 *          ├─ passed within the last day, or done for 7 days: next step
 *          └─ batch ─ save ─ pause ─ claim ─ batch ─ ... ─ the last account: passed ─ next step
 *
 * If a process is killed, the next process goes on from the saved position once the lease has ended. A batch that ran
 * and was not saved runs again, and finds nothing to fill. A pass goes through the whole table. After the first pass, a
 * pass each day finds the rows that a process of an earlier version wrote meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import type { Backfill, IndexBuild, OnlineStep, OnlineStepStore, StepRow } from './online-step.ts';

export interface StepProgress {
  step: string;
  seen: number;
  filled: number;
  /** An estimate of the rows of the table. */
  rows: number;
  done: boolean;
}

export interface OnlineStepOptions {
  steps: readonly OnlineStep[];
  which: 'postgres' | 'sqlite';
  open: () => Promise<OnlineStepStore>;
  holder: string;
  /** Returns milliseconds since 1970. */
  now: () => number;
  onProgress: (progress: StepProgress) => void;
  onBug: (error: unknown) => void;
  timing?: Partial<StepTiming>;
}

export interface StepTiming {
  leaseMs: number;
  /** Requests run in the pause between two batches. */
  pauseMs: number;
  rowsMax: number;
}

const timingDefault: StepTiming = { leaseMs: 30_000, pauseMs: 20, rowsMax: 500 };
const dayMs = 24 * 60 * 60 * 1000;
/**
 * For this long after a step is done, its passes repeat daily. Each process of an earlier version is replaced within
 * this time.
 */
const dailyPassesMs = 7 * dayMs;
const outageWaitMs = 5_000;

/**
 * Starts the steps, and repeats due steps each day. The returned function stops them and resolves once no batch is
 * under way.
 */
export function startOnlineSteps(options: OnlineStepOptions): () => Promise<void> {
  const { steps, which, onBug } = options;
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    if (!steps.some((step) => step[which])) return;
    for (;;) {
      await runDueSteps(options, stopped.signal).catch((error: unknown) => {
        if (!stopped.signal.aborted) onBug(error);
      });
      await sleep(dayMs, undefined, { signal: stopped.signal, ref: false });
    }
  };
  const underWay = run().catch(() => {});
  return async () => {
    stopped.abort();
    await underWay;
  };
}

/** Carries out each step that is due. Waits during outages of the database. */
export async function runDueSteps(options: OnlineStepOptions, signal: AbortSignal): Promise<void> {
  for (const step of options.steps) {
    const work = step[options.which];
    if (work) await runStep(step.name, work, { ...options, signal });
  }
}

type StepContext = OnlineStepOptions & { signal: AbortSignal };

async function runStep(name: string, work: Backfill | IndexBuild, run: StepContext): Promise<void> {
  for (;;) {
    let database: OnlineStepStore | undefined;
    // A server that drains closes the connection instead of waiting for an index. PostgreSQL goes on building the
    // index.
    const leave = () => void database?.close().catch(() => {});
    try {
      database = await run.open();
      run.signal.addEventListener('abort', leave);
      return await (work.kind === 'index'
        ? runIndexBuild(name, work, database, run)
        : runBackfill(name, work, database, run));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      run.signal.throwIfAborted();
    } finally {
      run.signal.removeEventListener('abort', leave);
      await database?.close().catch(() => {});
    }
    await sleep(outageWaitMs, undefined, { signal: run.signal });
  }
}

async function runBackfill(name: string, work: Backfill, database: OnlineStepStore, run: StepContext): Promise<void> {
  const { pauseMs, rowsMax } = { ...timingDefault, ...run.timing };
  if (!isStepDue(await database.read(name), run.now())) return;
  const rows = await database.rowCount(work.table);
  for (;;) {
    const row = await waitForLease(name, database, run);
    // Another process may have completed the pass while this one waited for the lease.
    if (!isStepDue(row, run.now())) return;
    // A new pass counts from 0.
    const before = row.position === null ? { ...row, seen: 0, filled: 0 } : row;
    const batch = await database.fill(work, row.position, rowsMax);
    const isPassed = batch.position === null;
    const after: StepRow = {
      position: batch.position,
      seen: before.seen + batch.seen,
      filled: before.filled + batch.filled,
      doneAt: isPassed ? (row.doneAt ?? run.now()) : row.doneAt,
      passedAt: isPassed ? run.now() : row.passedAt,
    };
    await database.save(name, run.holder, after);
    run.onProgress({ step: name, rows, seen: after.seen, filled: after.filled, done: isPassed });
    if (isPassed) return;
    await sleep(pauseMs, undefined, { signal: run.signal });
  }
}

async function runIndexBuild(
  name: string,
  work: IndexBuild,
  database: OnlineStepStore,
  run: StepContext,
): Promise<void> {
  const { leaseMs } = { ...timingDefault, ...run.timing };
  if ((await database.read(name))?.doneAt) return;
  for (;;) {
    const row = await waitForLease(name, database, run);
    if (row.doneAt) return;
    const renewal = setInterval(() => void renewLease(name, run), leaseMs / 3);
    const isBuilt = await database.buildIndex(work).finally(() => clearInterval(renewal));
    if (isBuilt) {
      const now = run.now();
      await database.save(name, run.holder, { ...row, doneAt: now, passedAt: now });
      return run.onProgress({ step: name, rows: 0, seen: 0, filled: 0, done: true });
    }
    await sleep(leaseMs / 3, undefined, { signal: run.signal });
  }
}

/** Renews the lease over another connection, since the step's connection is busy until the index is built. */
async function renewLease(name: string, run: StepContext): Promise<void> {
  const database = await run.open().catch(() => undefined);
  await database?.claim(name, leaseOf(run)).catch(() => {});
  await database?.close().catch(() => {});
}

async function waitForLease(name: string, database: OnlineStepStore, run: StepContext): Promise<StepRow> {
  const { leaseMs } = { ...timingDefault, ...run.timing };
  for (;;) {
    run.signal.throwIfAborted();
    const row = await database.claim(name, leaseOf(run));
    if (row) return row;
    await sleep(leaseMs / 3, undefined, { signal: run.signal });
  }
}

function leaseOf({ holder, now, timing }: StepContext) {
  const { leaseMs } = { ...timingDefault, ...timing };
  return { holder, now: now(), until: now() + leaseMs };
}

/**
 * Tells whether a pass is due: the first pass, a pass that was interrupted, or the daily pass in the 7 days after the
 * first pass.
 */
export function isStepDue(row: StepRow | undefined, now: number): boolean {
  if (!row || row.doneAt === null || row.passedAt === null || row.position !== null) return true;
  return now - row.doneAt < dailyPassesMs && now - row.passedAt >= dayMs;
}
