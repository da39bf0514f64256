/**
 * The least that a server can do: it stores the rows of a request in one durable commit, or returns bytes that it holds.
 * It knows no tokens, no rules, no ids, no repetitions and no order.
 */
import { join } from 'node:path';
import pg from 'pg';
import { servePeer, type PeerRoute } from './http.ts';
import { openRows } from './rows.ts';

const insertBare = 'INSERT INTO bare (doc) SELECT * FROM unnest($1::jsonb[])';
const [, , dataDir = '', databaseUrl = ''] = process.argv;
const held = new Map<string, Buffer>();

servePeer({
  '/store': databaseUrl ? await storeInPostgres() : await storeInSqlite(),
  '/hold': ({ query, body }) => {
    held.set(query.get('space') ?? '', Buffer.from(body));
    return '{}';
  },
  '/get': ({ query }) => held.get(query.get('space') ?? '') ?? '[]',
});

async function storeInSqlite(): Promise<PeerRoute> {
  const rows = await openRows(join(dataDir, 'rows.db'));
  return ({ body }) => {
    rows.append((JSON.parse(body) as object[]).map((document) => JSON.stringify(document)));
    return '{}';
  };
}

async function storeInPostgres(): Promise<PeerRoute> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  await pool.query('CREATE TABLE bare (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, doc jsonb)');
  return async ({ body }) => {
    const texts = (JSON.parse(body) as object[]).map((document) => JSON.stringify(document));
    await pool.query({ name: 'store', text: insertBare, values: [texts] });
    return '{}';
  };
}
