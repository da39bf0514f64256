/**
 * A server process reduced to its store: commits one map after another to the database in `dataDir`. Prints
 * `ack <version>` after each commit; at the first failure prints `refused <error>` and ends.
 *
 *   node --import tsx test/contract/store/processes/sqlite-child.ts <dataDir> <accountId> <commits> [FULL|NORMAL]
 */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';
import { mapDoc, write } from '../records.ts';

const [dataDir, accountId, commits, synchronous] = process.argv.slice(2);
if (!dataDir || !accountId) throw new Error('dataDir and accountId are missing');

const store = await openSqliteStore({ dataDir, synchronous: synchronous === 'NORMAL' ? 'NORMAL' : 'FULL' });
const description = 'x'.repeat(10_000);
for (let i = 0; i < Number(commits); i++) {
  try {
    const version = await write(store, accountId, (next) => ({ maps: [mapDoc(next(), { description })] }));
    writeSync(1, `ack ${version}\n`);
  } catch (error) {
    writeSync(1, `refused ${error instanceof Error ? error.name : String(error)}\n`);
    break;
  }
}
// Exits without closing the store, as a killed process would.
process.exit(0);
