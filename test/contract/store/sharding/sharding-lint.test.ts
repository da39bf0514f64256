/** Runs the lint for sharding on all SQL of the driver, and on statements that it must refuse. */
import { describe, expect, test } from 'vitest';
import { statements } from '../../../../server/store/postgres/statement.ts';
// Importing these modules lists every statement that the driver sends.
import { openPostgresCounts } from '../../../../server/store/postgres/rate-limits.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { statementsOnEveryShard, readShardKeys } from './shard-keys.ts';
import { shardingProblems } from './sharding-lint.ts';
import { parseStatements } from './sql-tree.ts';
import { writeProblems } from './write-lint.ts';

const keys = await readShardKeys();

test('[PG-1] [PG-23] [PG-24] [PG-25] each statement of the driver names one account, for each table of a tenant that it touches', async () => {
  expect([openPostgresStore, openPostgresCounts]).toHaveLength(2);
  expect(statements().length).toBeGreaterThan(50);
  const problems: Record<string, string[]> = {};
  for (const { text } of statements()) {
    const [tree] = await parseStatements(text);
    const found = text in statementsOnEveryShard ? writeProblems(tree!) : await shardingProblems(text, keys);
    if (found.length > 0) problems[text] = found;
  }
  expect(problems).toEqual({});
});

test('[PG-1] [PG-8] what may go to every shard stands in the driver, and a prepared name means one statement', () => {
  const texts = statements().map(({ text }) => text);
  expect(Object.keys(statementsOnEveryShard).filter((text) => !texts.includes(text))).toEqual([]);
  const names = statements().flatMap(({ name }) => name ?? []);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

describe('[PG-23] [PG-24] the lint refuses, of what a write may do', () => {
  const insert = 'INSERT INTO maps (account_id, id, name) VALUES ($1, $2, $3) ON CONFLICT (account_id, id)';
  test.each([
    ['a subquery in DO UPDATE', `${insert} DO UPDATE SET name = (SELECT 'a')`],
    [
      'a subquery in the condition of DO UPDATE',
      `${insert} DO UPDATE SET name = 'a' WHERE cardinality(ARRAY(SELECT 1)) = 1`,
    ],
    ['a subquery in RETURNING', `${insert} DO NOTHING RETURNING (SELECT 1)`],
    ['a subquery in VALUES', 'INSERT INTO maps (account_id, id) VALUES ($1, (SELECT 1))'],
    ['a volatile function in DO UPDATE', `${insert} DO UPDATE SET id = gen_random_uuid()`],
    ['a volatile function in UPDATE', 'UPDATE maps SET at = clock_timestamp() WHERE account_id = $1'],
    ['the time of the transaction in UPDATE', 'UPDATE maps SET at = CURRENT_TIMESTAMP WHERE account_id = $1'],
    [
      'rows of a function in UPDATE',
      'UPDATE maps SET n = ARRAY(SELECT * FROM array_position(n, 1)) WHERE account_id = $1',
    ],
    ['a volatile function in DELETE', 'DELETE FROM maps WHERE account_id = $1 AND random() < 0.5'],
  ])('%s', async (_, text) => {
    expect(await shardingProblems(text, keys)).not.toEqual([]);
  });
});

describe('[PG-2] [PG-25] the lint for sharding refuses', () => {
  test.each([
    ['no account', 'SELECT * FROM maps WHERE id = $1'],
    ['no condition', 'DELETE FROM runs'],
    ['an account that is no parameter', "SELECT * FROM maps WHERE account_id = '6f9619ff-8b86-d011-b42d-00c04fc964ff'"],
    ['more than equality', 'SELECT * FROM maps WHERE account_id >= $1'],
    ['one of several accounts', 'SELECT * FROM maps WHERE account_id = ANY ($1)'],
    ['an account that need not hold', 'SELECT * FROM maps WHERE account_id = $1 OR id = $2'],
    ['an account that must not hold', 'SELECT * FROM maps WHERE NOT account_id = $1'],
    [
      'an account of the other table',
      'SELECT * FROM maps JOIN runs ON runs.map_id = maps.id WHERE maps.account_id = $1',
    ],
    ['an account of whichever table', 'SELECT * FROM maps JOIN runs ON runs.map_id = maps.id WHERE account_id = $1'],
    ['a join by account alone', 'SELECT * FROM maps JOIN runs USING (account_id) WHERE maps.account_id = $1'],
    ['two accounts', 'SELECT * FROM maps JOIN runs ON runs.account_id = $2 WHERE maps.account_id = $1'],
    [
      'two accounts in two scopes',
      'SELECT 1 FROM maps WHERE account_id = $1 AND EXISTS (SELECT 1 FROM runs WHERE account_id = $2)',
    ],
    ['a subselect without', 'SELECT (SELECT count(*) FROM runs) FROM maps WHERE account_id = $1'],
    ['a subselect of FROM without', 'SELECT * FROM (SELECT * FROM runs) AS r'],
    [
      'a lateral subselect without',
      'SELECT * FROM accounts AS a CROSS JOIN LATERAL (SELECT * FROM maps WHERE account_id = a.account_id) AS m WHERE a.account_id = $1',
    ],
    [
      'an arm of a UNION without',
      'SELECT id FROM runs WHERE account_id = $1 UNION ALL SELECT id FROM runs WHERE map_id = $2',
    ],
    ['an ARRAY without', 'SELECT * FROM maps WHERE account_id = $1 AND id = ANY (ARRAY(SELECT map_id FROM runs))'],
    ['a CTE without', 'WITH gone AS (DELETE FROM runs RETURNING id) SELECT * FROM gone'],
    [
      'a recursive CTE without',
      'WITH RECURSIVE page AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM page, maps) SELECT * FROM page',
    ],
    ['a CTE with the name of a table', 'WITH maps AS (SELECT * FROM maps) SELECT * FROM maps'],
    [
      'an outer join that keeps rows of any account',
      'SELECT * FROM maps AS m LEFT JOIN runs AS r ON r.account_id = $1 AND m.account_id = $1',
    ],
    ['an UPDATE without', 'UPDATE maps SET archived = true WHERE id = $1'],
    [
      'an UPDATE from a table without',
      'UPDATE maps SET archived = true FROM runs WHERE maps.account_id = $1 AND runs.map_id = maps.id',
    ],
    ['an UPDATE to another account', 'UPDATE maps SET account_id = $2 WHERE account_id = $1'],
    [
      'a DELETE using a table without',
      'DELETE FROM maps USING runs WHERE maps.account_id = $1 AND runs.map_id = maps.id',
    ],
    ['an INSERT without', 'INSERT INTO maps (id) VALUES ($1)'],
    ['an INSERT without columns', 'INSERT INTO maps VALUES ($1, $2)'],
    [
      'an INSERT of what the rows say',
      'INSERT INTO maps (account_id, id) SELECT account_id, id FROM jsonb_to_recordset($1) AS w (account_id uuid, id uuid)',
    ],
    [
      'an INSERT of rows whose account is $1',
      'INSERT INTO maps (account_id, id) SELECT $1, id FROM json_to_recordset($2) AS w (id uuid)',
    ],
    [
      'an INSERT of rows whose account is read from a row of any account',
      'INSERT INTO maps (account_id, id) SELECT a.account_id, id FROM (SELECT account_id FROM accounts) AS a, json_to_recordset($2) AS w (id uuid)',
    ],
    ['an INSERT of one row elsewhere', 'INSERT INTO maps (account_id, id) VALUES ($1, $2), (gen_random_uuid(), $3)'],
    ['ON CONFLICT by another key', 'INSERT INTO maps (account_id, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING'],
    ['ON CONFLICT by any key', 'INSERT INTO maps (account_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING'],
    [
      'ON CONFLICT that moves it',
      'INSERT INTO maps (account_id, id) VALUES ($1, $2) ON CONFLICT (account_id, id) DO UPDATE SET account_id = $1',
    ],
    [
      'a join of other shards',
      'SELECT * FROM client_owners AS o JOIN maps AS m ON m.account_id = $2 WHERE o.client_id = $1',
    ],
    ['another key than its own', 'SELECT * FROM pairing_codes WHERE account_id = $1'],
    ['a table of another schema', 'SELECT * FROM elsewhere.maps WHERE account_id = $1'],
    ['a table that nobody knows', 'SELECT * FROM orders WHERE account_id = $1'],
    ['MERGE', 'MERGE INTO maps USING runs ON maps.account_id = $1 WHEN MATCHED THEN DELETE'],
    ['TRUNCATE', 'TRUNCATE maps'],
    ['LOCK', 'LOCK TABLE maps'],
    ['a second statement', 'SELECT * FROM maps WHERE account_id = $1; DELETE FROM runs'],
  ])('%s', async (_, text) => {
    expect(await shardingProblems(text, keys)).not.toEqual([]);
  });

  test('and nothing of one account', async () => {
    for (const text of [
      'INSERT INTO maps (account_id, id) SELECT a.account_id, id FROM (SELECT account_id FROM accounts WHERE account_id = $1) AS a, json_to_recordset($2) AS w (id uuid)',
      'SELECT * FROM maps WHERE $1 = account_id AND (archived OR deleted)',
      'SELECT * FROM maps AS m LEFT JOIN runs AS r ON r.account_id = $1::uuid AND r.map_id = m.id WHERE m.account_id = $1',
      'WITH lost AS (SELECT id FROM runs WHERE account_id = $1) SELECT * FROM lost',
      'INSERT INTO maps (id, account_id) VALUES ($2, $1), ($3, $1::uuid) ON CONFLICT (account_id, id) DO NOTHING',
    ]) {
      expect(await shardingProblems(text, keys)).toEqual([]);
    }
  });
});
