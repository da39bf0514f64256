/**
 * `npm run restore -- DIR`: a backup takes the place of the embedded database. `npm run restore -- --epoch-only` ends a
 * restore that other tools made, such as pg_restore: devices then offer again what the backup does not have.
 */
import { readEnvironment, type Settings } from './environment.ts';
import { fail } from './fail.ts';
import { openStore } from './store/open-store.ts';
import { restore } from './store/sqlite/restore.ts';

const environment = readEnvironment(process.env);
const [from, ...rest] = process.argv.slice(2);
if (!environment.ok) fail(...environment.problems);
else if (from === undefined || rest.length > 0)
  fail('usage: npm run restore -- DIR, or npm run restore -- --epoch-only');
else if (from === '--epoch-only') await renewEpoch(environment.settings);
else if (environment.settings.databaseUrl !== undefined) {
  fail('DATABASE_URL is set: restore PostgreSQL with pg_restore, then --epoch-only (docs/operations.md)');
} else await restoreFrom(from, environment.settings);

async function restoreFrom(folder: string, { dataDir }: Settings): Promise<void> {
  const outcome = await restore({ from: folder, dataDir, now: new Date() });
  if (!outcome.ok) return fail(outcome.problem);
  console.log(`Restored ${dataDir} from ${folder}: ${outcome.accounts} accounts.`);
  if (outcome.kept !== undefined) console.log(`What was there before is kept in ${outcome.kept}.`);
}

async function renewEpoch(settings: Settings): Promise<void> {
  const store = await openStore(settings).catch((error: Error) => fail(error.message));
  if (!store) return;
  console.log(`The epoch is now ${await store.renewEpoch()}.`);
  await store.close();
}
