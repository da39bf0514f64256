/** `npm run backup -- DIR` copies the embedded database to DIR, even while the server runs. */
import { readEnvironment } from '../environment.ts';
import { fail } from './fail.ts';
import { backUpDatabase } from '../store/sqlite/backup.ts';

const environmentResult = readEnvironment(process.env);
const [to, ...rest] = process.argv.slice(2);
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (to === undefined || rest.length > 0) fail('usage: npm run backup -- DIR');
else if (environmentResult.settings.databaseUrl !== undefined) {
  fail('DATABASE_URL is set: back PostgreSQL up with pg_dump (docs/operations.md)');
} else {
  const { dataDir } = environmentResult.settings;
  const outcome = await backUpDatabase(dataDir, to);
  if (!outcome.ok) fail(outcome.problem);
  else console.log(`Backed up ${dataDir} to ${to}: ${outcome.accounts} accounts, ${outcome.bytes} bytes.`);
}
