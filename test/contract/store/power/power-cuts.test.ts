/** Power cuts of the embedded store: 60 moments of one history, each with another share of what was not synced. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../server/store/sqlite/database.ts';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';
import { randomBelow, randomOf, randomWithPrintedSeed, type Random } from '../../../random.ts';
import { childCommand, createFolderWithAccount, runCommand } from '../processes/child.ts';
import { isStraceInstalled } from './strace.ts';
import { Disk } from './disk.ts';
import { readOperations, straceOptions, type FileOperation } from './file-operations.ts';

const cuts = Number(process.env['GEMBA_POWER_CUTS'] ?? 60);
/** SQLite moves its log into the database after about 150 of these commits. */
const commits = 320;

interface History {
  accountId: string;
  before: Map<string, Buffer>;
  operations: FileOperation[];
}

async function recordHistory(synchronous: 'FULL' | 'NORMAL'): Promise<History> {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  const { dataDir, accountId } = folder;
  const before = readFiles(dataDir);
  const output = `${dataDir}.trace`;
  await runCommand(['strace', ...straceOptions, '-o', output, ...childCommand(folder, commits, synchronous)]);
  return { accountId, before, operations: readOperations(readFileSync(output, 'latin1'), dataDir) };
}

const readFiles = (folder: string): Map<string, Buffer> =>
  new Map(readdirSync(folder).map((name) => [join(folder, name), readFileSync(join(folder, name))]));

interface Outcome {
  acknowledged: number;
  /** The versions that the store has after the cut, in their order. */
  versions: number[];
  integrity: string;
}

/** Plays the history, and cuts the power at random moments. */
async function cutPower(
  { accountId, before, operations }: History,
  { times, random }: { times: number; random: Random },
): Promise<Outcome[]> {
  const moments = Array.from({ length: times }, () => randomBelow(random, operations.length + 1));
  const disk = new Disk(before);
  const outcomes: Outcome[] = [];
  let acknowledged = 0;
  for (const [moment, operation] of [...operations, undefined].entries()) {
    for (const at of moments) {
      if (at === moment) outcomes.push({ acknowledged, ...(await reopen(disk.afterPowerCut(random), accountId)) });
    }
    if (operation) disk.do(operation);
    if (operation?.kind === 'ack') acknowledged = operation.version;
  }
  return outcomes;
}

async function reopen(files: Map<string, Buffer>, accountId: string): Promise<Omit<Outcome, 'acknowledged'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-power-'));
  try {
    for (const [path, bytes] of files) writeFileSync(join(dataDir, basename(path)), bytes);
    const store = await openSqliteStore({ dataDir });
    const { changes } = await store.changes(accountId, { after: 0, limit: 100_000, kinds: ['map'] });
    await store.close();
    const database = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 0, synchronous: 'OFF' });
    const { integrity_check: integrity } = database.one<{ integrity_check: string }>('PRAGMA integrity_check');
    database.close();
    return { versions: changes.map(({ version }) => version), integrity };
  } catch (error) {
    // A file that SQLite does not open any more has lost all.
    return { versions: [], integrity: String(error) };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe.skipIf(!isStraceInstalled())('under strace', () => {
  test(`[STORE-60] no commit that was acknowledged is lost by a power cut, at ${cuts} moments`, async () => {
    const random = randomWithPrintedSeed();
    const history = await recordHistory('FULL');
    const written = history.operations.filter(({ kind }) => kind === 'write');
    expect(history.operations.filter(({ kind }) => kind === 'ack')).toHaveLength(commits);
    expect(written.filter((write) => 'path' in write && write.path.endsWith('gemba.db')).length).toBeGreaterThan(100);

    const outcomes = await cutPower(history, { times: cuts, random });

    expect(outcomes).toHaveLength(cuts);
    for (const { acknowledged, versions, integrity } of outcomes) {
      expect(integrity).toBe('ok');
      // The commit under way is there or not.
      expect([acknowledged, acknowledged + 1]).toContain(versions.length);
      expect(versions).toEqual(upTo(versions.length));
    }
  });

  test('[STORE-60] and a store that does not sync is caught', async () => {
    const outcomes = await cutPower(await recordHistory('NORMAL'), { times: 25, random: randomOf(1) });

    expect(outcomes.filter(({ acknowledged, versions }) => versions.length < acknowledged).length).toBeGreaterThan(0);
  });
});
