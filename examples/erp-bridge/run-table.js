/**
 * The table for the ERP, and how far the bridge has read. Node 22.13 and later have the same interface in `node:sqlite`.
 *
 * @typedef {{ id: number, recording_session_id: string, map_id: string, number: number, started_at: string | null, created_at: string,
 *   total_time_secs: number, value_add_time_secs: number, step_count: number }} Run
 * @typedef {{ id: string, type: string, subject: { id: string, record?: Run | null } }} Event
 */
import { DatabaseSync } from '@photostructure/sqlite';

export class RunTable {
  /** @param {string} path */
  constructor(path) {
    this.database = new DatabaseSync(path);
    this.database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA busy_timeout = 60000;
      CREATE TABLE IF NOT EXISTS runs (
        -- A server that was restored gives the ids of lost runs again, and never the session of a recording.
        recording_session_id TEXT PRIMARY KEY,
        run_id INTEGER NOT NULL,
        map_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        recorded_at TEXT NOT NULL,
        total_secs REAL NOT NULL,
        value_add_secs REAL NOT NULL,
        steps INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE IF NOT EXISTS progress (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT NOT NULL) STRICT;
    `);
    this.insertRun = this.database.prepare('INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.insertEvent = this.database.prepare('INSERT OR IGNORE INTO events VALUES (?)');
    this.setCursor = this.database.prepare('INSERT OR REPLACE INTO progress VALUES (1, ?)');
  }

  /** Where to go on; undefined before the first page. */
  get cursor() {
    const row = this.database.prepare('SELECT cursor FROM progress').get();
    return row ? String(row.cursor) : undefined;
  }

  /**
   * Keeps the events of a page and the cursor behind it, or nothing.
   *
   * @param {Event[]} events
   * @param {string} cursor
   */
  keepPage(events, cursor) {
    if (events.length === 0 && cursor === this.cursor) return;
    this.transact(() => {
      for (const event of events) this.insert(event);
      this.setCursor.run(cursor);
    });
  }

  /** @param {Event} event */
  keepEvent(event) {
    this.transact(() => this.insert(event));
  }

  /**
   * A run that is there stays as it is.
   *
   * @param {Run} run
   */
  keepRun(run) {
    const { id, recording_session_id: session, map_id, number, started_at, created_at, step_count } = run;
    const recordedAt = started_at ?? created_at;
    const { total_time_secs: total, value_add_time_secs: valueAdd } = run;
    this.insertRun.run(session, id, map_id, number, recordedAt, total, valueAdd, step_count);
  }

  close() {
    this.database.close();
  }

  /**
   * Keeps an event once, though a webhook and a page may bring it, each several times. An event has no record if the run
   * was deleted meanwhile, or if it is too large for a webhook: then the page brings it.
   *
   * @param {Event} event
   */
  insert({ id, type, subject }) {
    if (type !== 'recording.received' || !subject.record) return;
    if (this.insertEvent.run(id).changes > 0) this.keepRun(subject.record);
  }

  /** @param {() => void} work */
  transact(work) {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }
}
