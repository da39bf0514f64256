/** Runs the online steps of a server process, and reports their progress in its log and metrics. */
import { randomUUID } from 'node:crypto';
import { onlineSteps } from './steps.ts';
import type { OnlineStep, OnlineStepStore } from './online-step.ts';
import { startOnlineSteps, type StepProgress, type StepTiming } from './run-steps.ts';

/** The steps that a test runs in place of the steps in steps.ts. */
export interface OnlineStepSetting {
  steps: readonly OnlineStep[];
  timing?: Partial<StepTiming>;
}

/** The location of the steps' database: PostgreSQL if there is a URL, else the embedded database in the folder. */
export interface StepDatabaseLocation {
  databaseUrl?: string | undefined;
  /**
   * The URL of the same PostgreSQL without the pooler. If there is a pooler, all steps use this URL, since the build of
   * an index needs a session, and a pooler gives a connection no session.
   */
  pokeDatabaseUrl?: string | undefined;
  databasePooler?: 'transaction' | undefined;
  dataDir: string;
  /** Reads the store's epoch, by which a step checks that its URL leads to the store's database. */
  epoch: () => Promise<string>;
}

interface OnlineStepServices extends StepDatabaseLocation {
  now: () => number;
  setting: OnlineStepSetting | undefined;
  log: (fields: object, message: string) => void;
  setRows: (labels: { step: string; kind: 'seen' | 'filled' | 'all' }, rows: number) => void;
  onBug: (error: unknown) => void;
}

/** The log reports the progress of a step once for this many rows. */
const rowsPerLogLine = 100_000;

export function runOnlineSteps(services: OnlineStepServices): () => Promise<void> {
  const { databaseUrl, now, setting, onBug } = services;
  return startOnlineSteps({
    steps: setting?.steps ?? onlineSteps,
    ...(setting?.timing ? { timing: setting.timing } : {}),
    which: databaseUrl === undefined ? 'sqlite' : 'postgres',
    open: () => openStepDatabase(services),
    holder: randomUUID(),
    now,
    onProgress: createProgressReporter(services),
    onBug,
  });
}

/** Imports the driver of PostgreSQL only if the server uses PostgreSQL. */
export async function openStepDatabase(where: StepDatabaseLocation): Promise<OnlineStepStore> {
  const { databaseUrl, pokeDatabaseUrl, databasePooler, dataDir, epoch } = where;
  if (databaseUrl === undefined) {
    const sqlite = await import('./sqlite-steps.ts');
    return sqlite.openStepDatabase(dataDir);
  }
  const postgres = await import('./postgres-steps.ts');
  if (!databasePooler) return postgres.openStepDatabase(databaseUrl);
  if (pokeDatabaseUrl === undefined) {
    throw new Error('online steps need a session: set POKE_DATABASE_URL, so that steps are carried out');
  }
  return postgres.openStepDatabase(pokeDatabaseUrl, { epoch: await epoch() });
}

function createProgressReporter({
  log,
  setRows,
}: Pick<OnlineStepServices, 'log' | 'setRows'>): (progress: StepProgress) => void {
  const lines = new Map<string, number>();
  return ({ step, seen, filled, rows, done }) => {
    setRows({ step, kind: 'seen' }, seen);
    setRows({ step, kind: 'filled' }, filled);
    setRows({ step, kind: 'all' }, Math.max(rows, seen));
    const line = Math.floor(seen / rowsPerLogLine);
    const isNew = lines.get(step) !== line;
    lines.set(step, line);
    if (done) log({ step, seen, filled }, 'online step done');
    else if (isNew) log({ step, seen, filled, rows }, 'online step under way');
  };
}
