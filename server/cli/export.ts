/** `gemba export FORMAT FILE [--account ID]` writes all runs of an account to a file, even while a server runs. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { exportFacts, exportFormats, exportInPieces, type ExportFormat } from '../../shared/export/formats.ts';
import { systemWorld } from '../core/world.ts';
import { readEnvironment } from '../environment.ts';
import { loadRuns } from '../export/load-runs.ts';
import { selectRuns } from '../export/select-runs.ts';
import type { Settings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';
import { databaseFileName } from '../store/sqlite/data-folder.ts';
import type { Store } from '../store/store.ts';
import { fail } from './fail.ts';
import { commandText } from './usage.ts';

interface ExportArguments {
  format: ExportFormat;
  file: string;
  accountId: string | undefined;
}

/** Limits the snapshot of this command to an hour. An export of 100,000 steps takes some seconds. */
const snapshotMsMax = 3_600_000;

const environmentResult = readEnvironment(process.env);
const wantedExport = readArguments();
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (wantedExport === undefined) {
  fail(`usage: ${commandText('export', `FORMAT FILE [--account ID]`)}, where FORMAT is ${exportFormats.join(', ')}`);
} else await exportTo(wantedExport, environmentResult.settings);

function readArguments(): ExportArguments | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { account: { type: 'string' } }, allowPositionals: true });
    const [name, file, ...rest] = positionals;
    const format = exportFormats.find((known) => known === name);
    if (format === undefined || file === undefined || rest.length > 0) return undefined;
    return { format, file, accountId: values.account };
  } catch {
    return undefined;
  }
}

async function exportTo({ format, file, accountId }: ExportArguments, settings: Settings): Promise<void> {
  // This check comes first, since `openStore` would create a missing database.
  if (settings.databaseUrl === undefined && !(await exists(join(settings.dataDir, databaseFileName)))) {
    return fail(`there is no database in ${settings.dataDir}`);
  }
  if (await exists(file)) return fail(`${file} is there already`);
  const store = await openStore({ ...settings, world: systemWorld }).catch((error: Error) => fail(error.message));
  if (!store) return;
  try {
    const account = accountId ?? (await store.onlyAccountId());
    if (account === undefined || !(await store.account(account))) {
      return fail(
        account === undefined
          ? 'there are several accounts: name one with --account'
          : `there is no account ${account}`,
      );
    }
    const runs = await writeExport(store, account, { format, file });
    console.log(`Wrote ${runs} runs to ${file}.`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  } finally {
    await store.close();
  }
}

/** Limits only a spreadsheet, which is held in memory as a whole. */
function exportLimitsOf(format: ExportFormat) {
  const stepsMax = format === 'steps.xlsx' ? exportFacts[format].stepsMax : Number.POSITIVE_INFINITY;
  return { stepsMax, bytesMax: Number.POSITIVE_INFINITY };
}

/** Writes all runs of one version of the account. Until the file is complete, its name ends with `.partial`. */
async function writeExport(
  store: Store,
  accountId: string,
  { format, file }: Omit<ExportArguments, 'accountId'>,
): Promise<number> {
  const partial = `${file}.partial`;
  try {
    const count = await store.withRunSnapshot(
      accountId,
      async (snapshot) => {
        const selected = await selectRuns(snapshot, {}, exportLimitsOf(format));
        if (!selected.ok) throw new Error(selected.error.detail);
        const { runs } = selected;
        const pieces = exportInPieces(format, () => loadRuns(snapshot, runs));
        await pipeline(Readable.from(pieces), createWriteStream(partial, { flush: true, mode: 0o600 }));
        return runs.length;
      },
      snapshotMsMax,
    );
    await rename(partial, file);
    return count;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
