/**
 * Opens new data folders at agreed times, together with other processes, and prints the epoch of each folder.
 *
 *   node --import tsx test/contract/store/processes/sqlite-opener.ts <folder> <rounds> <first instant, ms since 1970> <ms between>
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';

const [folder = '', rounds, firstAt, betweenMs] = process.argv.slice(2);
// The first opening loads the database's code, so that the race below is about opening alone.
await openSqliteStore({ dataDir: join(folder, `warm-up-${process.pid}`) });
for (let round = 0; round < Number(rounds); round++) {
  const at = Number(firstAt) + round * Number(betweenMs);
  while (Date.now() < at);
  const store = await openSqliteStore({ dataDir: join(folder, String(round)) });
  writeSync(1, `${await store.epoch()}\n`);
  await store.close();
}
