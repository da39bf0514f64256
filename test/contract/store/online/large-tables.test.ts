import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../../../server/store/migrations.ts';
import { placements } from '../../../../server/store/postgres/placements.ts';
import { largeTableProblems, largeTables, lastFreeMigration } from './large-tables.ts';

const folder = join(import.meta.dirname, '../../../../server/store');

test.each(['postgres', 'sqlite'] as const)(
  '[PG-41] no migration of %s holds a large table for long, from the rule on',
  (which) => {
    const migrations = readMigrations(join(folder, which, 'migrations'));
    expect(migrations.length).toBeGreaterThanOrEqual(lastFreeMigration[which]);
    const problems = migrations
      .filter(({ number }) => number > lastFreeMigration[which])
      .flatMap(({ name, sql }) => largeTableProblems(sql, which).map((problem) => `${name}: ${problem}`));
    expect(problems).toEqual([]);
    // The migrations before the rule show that the lint reads such files.
    expect(migrations.some(({ sql }) => largeTableProblems(sql, which).length > 0)).toBe(true);
  },
);

test('[PG-41] the large tables are tables of the schema', () => {
  for (const table of largeTables) expect(Object.keys(placements)).toContain(table);
});

const refusedOnBoth = [
  'UPDATE runs SET bytes = 0;',
  'update\n  idempotency_keys AS key SET keys_before = 1;',
  'DELETE FROM push_answers WHERE false;',
  'WITH old AS (SELECT 1) DELETE FROM stage_ids;',
  'INSERT INTO runs SELECT * FROM elsewhere;',
  'INSERT INTO counts (account_id) SELECT account_id FROM runs;',
];
const refusedOnPostgres = [
  'CREATE INDEX runs_by_a ON runs (account_id, a);',
  '-- why\nCREATE UNIQUE INDEX IF NOT EXISTS a ON ONLY maps (a);',
  'ALTER TABLE runs ALTER COLUMN record TYPE jsonb;',
  'ALTER TABLE runs ALTER record SET DATA TYPE jsonb;',
  'ALTER TABLE sync_clients ALTER COLUMN chain SET NOT NULL;',
  'ALTER TABLE runs ADD CONSTRAINT positive CHECK (bytes > 0);',
  'ALTER TABLE runs ADD UNIQUE (a);',
  'ALTER TABLE runs ADD COLUMN a uuid DEFAULT gen_random_uuid();',
  'ALTER TABLE runs ADD COLUMN a bigint GENERATED ALWAYS AS (id + 1) STORED;',
];

test.each(refusedOnBoth)('[PG-41] a migration of either database is refused with: %s', (sql) => {
  expect(largeTableProblems(sql, 'postgres')).toHaveLength(1);
  expect(largeTableProblems(sql, 'sqlite')).toHaveLength(1);
});

test.each(refusedOnPostgres)('[PG-41] a migration of PostgreSQL is refused with: %s', (sql) => {
  expect(largeTableProblems(sql, 'postgres')).toHaveLength(1);
  expect(largeTableProblems(sql, 'sqlite')).toEqual([]);
});

test.each([
  'ALTER TABLE runs ADD COLUMN a bigint;',
  "ALTER TABLE runs ADD COLUMN a text NOT NULL DEFAULT '';",
  'ALTER TABLE runs ADD CONSTRAINT positive CHECK (bytes > 0) NOT VALID;',
  'ALTER TABLE runs DROP COLUMN a;',
  'CREATE TABLE runs_seen (account_id uuid PRIMARY KEY);',
  'CREATE INDEX tokens_by_a ON tokens (account_id, a);',
  'UPDATE accounts SET seats_limited = true;',
])('[PG-41] a migration may have: %s', (sql) => {
  expect([largeTableProblems(sql, 'postgres'), largeTableProblems(sql, 'sqlite')]).toEqual([[], []]);
});
