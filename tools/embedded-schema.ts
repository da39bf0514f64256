/** Writes the tables and indexes of the embedded store as SQL, as they are after all migrations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../server/store/sqlite/database.ts';
import { migrate } from '../server/store/sqlite/migrate.ts';
import { systemWorld } from '../server/core/world.ts';

const header = `-- Made by \`npm run generate\` from server/store/sqlite/migrations: the embedded store's tables as they are now.
-- PostgreSQL has the same tables, and \`rate_limits\` (server/store/postgres/migrations). \`rejections\` has a row for a range of
-- numbers, \`seq\` to \`last_seq\`. \`stage_ids\` has the device-made ids that stages got.
`;

export async function embeddedSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-schema-'));
  try {
    const database = await openDatabase(join(folder, 'schema.db'), { busyMsMax: 1_000, synchronous: 'OFF' });
    migrate(database, systemWorld);
    const rows = database.all<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type = 'index', name",
    );
    database.close();
    return `${header}\n${rows.map(({ sql }) => `${sql};\n`).join('\n')}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
