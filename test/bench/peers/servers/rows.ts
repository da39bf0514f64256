/**
 * The rows of a peer's server in SQLite, as durable as Gemba's: WAL, `synchronous=FULL`, one commit a request. Documents
 * are text that is stored and returned untouched.
 */
import { openDatabase } from '../../../../server/store/sqlite/database.ts';

export interface Row {
  id: string;
  seq: number;
  doc: string;
}

export interface Rows {
  /** Runs `work` in one transaction, which is on the disk when it returns. */
  commit<Result>(work: () => Result): Result;
  /** Stores the document under the space's next number. Needs a transaction. */
  put(space: string, id: string, doc: string): void;
  /** Stores the documents in one transaction, under no key but the order of their arrival. */
  append(docs: string[]): void;
  get(space: string, id: string): string | undefined;
  since(space: string, seq: number, limit: number): Row[];
  lastSeq(space: string): number;
  count(space: string): number;
  exec(sql: string): void;
  run(sql: string, ...values: (string | number)[]): void;
  all<Found>(sql: string, ...values: (string | number)[]): Found[];
}

export async function openRows(file: string): Promise<Rows> {
  const database = await openDatabase(file, { busyMsMax: 5_000, synchronous: 'FULL' });
  database.exec(
    `CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY, space TEXT, id TEXT, seq INTEGER, doc TEXT) STRICT;
     CREATE UNIQUE INDEX IF NOT EXISTS rows_by_id ON rows (space, id);
     CREATE UNIQUE INDEX IF NOT EXISTS rows_by_seq ON rows (space, seq);
     CREATE TABLE IF NOT EXISTS bare (n INTEGER PRIMARY KEY, doc TEXT) STRICT`,
  );
  const lastSeqs = new Map<string, number>();
  const lastSeq = (space: string): number => {
    const known = lastSeqs.get(space);
    if (known !== undefined) return known;
    const { seq } = database.one<{ seq: number }>('SELECT coalesce(max(seq), 0) seq FROM rows WHERE space = ?', space);
    lastSeqs.set(space, seq);
    return seq;
  };
  const commit = <Result>(work: () => Result): Result => {
    database.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.run('COMMIT');
      return result;
    } catch (error) {
      database.rollback();
      lastSeqs.clear();
      throw error;
    }
  };
  return {
    commit,
    append: (docs) =>
      commit(() => {
        for (const doc of docs) database.run('INSERT INTO bare (doc) VALUES (?)', doc);
      }),
    put(space, id, doc) {
      const seq = lastSeq(space) + 1;
      lastSeqs.set(space, seq);
      database.run('INSERT OR REPLACE INTO rows (space, id, seq, doc) VALUES (?, ?, ?, ?)', space, id, seq, doc);
    },
    get: (space, id) =>
      database.get<{ doc: string }>('SELECT doc FROM rows WHERE space = ? AND id = ?', space, id)?.doc,
    since: (space, seq, limit) =>
      database.all<Row>(
        'SELECT id, seq, doc FROM rows WHERE space = ? AND seq > ? ORDER BY seq LIMIT ?',
        space,
        seq,
        limit,
      ),
    lastSeq,
    count: (space) => database.one<{ n: number }>('SELECT count(*) n FROM rows WHERE space = ?', space).n,
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => database.run(sql, ...values),
    all: (sql, ...values) => database.all(sql, ...values),
  };
}
