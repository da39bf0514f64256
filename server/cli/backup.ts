/** `npm run backup -- DIR` copies the embedded database and the stored photos to DIR, even while the server runs. */
import { readEnvironment } from '../environment.ts';
import { fail } from './fail.ts';
import { photoLines } from './photo-lines.ts';
import { commandText } from './usage.ts';
import { backUpDatabase } from '../backup/backup.ts';

const environmentResult = readEnvironment(process.env);
const [to, ...rest] = process.argv.slice(2);
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (to === undefined || rest.length > 0) fail(`usage: ${commandText('backup', 'DIR')}`);
else if (environmentResult.settings.databaseUrl !== undefined) {
  fail('DATABASE_URL is set: back PostgreSQL up with pg_dump (docs/operations.md)');
} else {
  const { dataDir, s3Url } = environmentResult.settings;
  const outcome = await backUpDatabase(dataDir, to, { hasPhotoBucket: s3Url !== undefined });
  if (!outcome.ok) fail(outcome.problem);
  else {
    console.log(`Backed up ${dataDir} to ${to}: ${outcome.accounts} accounts, ${outcome.bytes} bytes.`);
    for (const line of photoLines(outcome.photos)) console.log(line);
  }
}
