/** Migrates the file to the newest schema. SQLite's `user_version` is the number of the last migration that ran. */
import { join } from 'node:path';
import { randomUuid, type World } from '../../core/world.ts';
import { readMigrations } from '../migrations.ts';
import { inTransaction, type Database } from './database.ts';

const migrations = readMigrations(join(import.meta.dirname, 'migrations'));

/** The number of the newest schema that this server knows. */
export const schemaNumber = migrations.length;

export function migrate(database: Database, world: World): void {
  // If several processes start at once, the write lock makes them migrate in sequence. Only the first one finds
  // migrations to run.
  inTransaction(database, () => {
    const done = database.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    for (const { number, sql } of migrations.filter((migration) => migration.number > done)) {
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${number}`);
    }
    database.run('INSERT INTO store_info (only_row, epoch) VALUES (1, ?) ON CONFLICT DO NOTHING', randomUuid(world));
  });
}
