/**
 * Reads a driver's migrations: SQL files such as `0001-name.sql`. A migration runs once on a database, so a released
 * file must not change.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Migration {
  number: number;
  name: string;
  sql: string;
}

export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  return files.map((name, index) => {
    const number = Number(name.slice(0, 4));
    if (number !== index + 1) throw new Error(`Migration ${name} should have the number ${index + 1}`);
    return { number, name, sql: readFileSync(join(folder, name), 'utf8') };
  });
}
