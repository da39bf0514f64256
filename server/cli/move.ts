/**
 * `DATABASE_URL=… npm run move` moves the embedded database in DATA_DIR into an empty PostgreSQL, and compares each
 * row.
 */
import { readEnvironment } from '../environment.ts';
import { fail } from './fail.ts';
import { commandText } from './usage.ts';
import { moveStore } from '../store/move/move-store.ts';

const environmentResult = readEnvironment(process.env);
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (process.argv.length > 2) fail(`usage: DATABASE_URL=… ${commandText('move')}`);
else if (environmentResult.settings.databaseUrl === undefined) {
  fail('DATABASE_URL is not set: name the empty database to move to');
} else await move(environmentResult.settings.dataDir, environmentResult.settings.databaseUrl);

async function move(dataDir: string, url: string): Promise<void> {
  const outcome = await moveStore({ dataDir, url }).catch((error: Error) => error);
  // A connection that broke during COMMIT leaves open whether all was moved or nothing.
  if (outcome instanceof Error)
    return fail(`the move did not end: ${outcome.message}`, 'run it again: it says what is there');
  if (!outcome.ok) return fail(`nothing was moved: ${outcome.problem}`);
  for (const { table, rows, digest } of outcome.tables) {
    console.log(`${table.padEnd(18)} ${String(rows).padStart(9)} rows  sha256 ${digest}`);
  }
  console.log(
    outcome.wasAlreadyMoved
      ? `All of ${dataDir} is in PostgreSQL already, compared row by row.`
      : `Moved ${dataDir} to PostgreSQL, compared row by row. Start the servers with DATABASE_URL, and none on ${dataDir} again.`,
  );
}
