/**
 * Writes a tombstone for each row that the database refused but the journal may have stored. The database keeps the
 * tombstone until the journal has removed the row. Otherwise the next opening would restore the row.
 */
import type { Clock } from '../../core/clock.ts';
import type { TableName } from '../migration/migrations.ts';
import type { TapBody, OutboxBody, Row } from '../rows.ts';
import { tableNames, type JournaledTables } from './journaled-tables.ts';
import { tombstoneIdOfUnwritten } from './keys.ts';

/** If the database does not accept the tombstones, they are written again after this delay. */
export const tombstoneRetryDelayMs = 15_000;

interface TombstoneWriterOptions {
  tables: JournaledTables;
  schedule: Clock['schedule'];
  /** Settles like `work`, but rejects if `work` takes too long. */
  withTimeout: <Result>(work: Promise<Result>) => Promise<Result>;
}

export class TombstoneWriter {
  readonly #options: TombstoneWriterOptions;
  /** The ids of tombstones that are not in the database yet. */
  readonly #unwrittenIds: Record<TableName, Set<string>> = { outbox: new Set(), drafts: new Set() };
  #cancelRetry: () => void = () => {};
  #isClosed = false;

  constructor(options: TombstoneWriterOptions) {
    this.#options = options;
  }

  /** Writes tombstones for refused rows, except for mutations that the database has under another sequence number. */
  add(table: TableName, rows: Row<OutboxBody | TapBody>[]): Promise<void> {
    const presentIds = new Set(
      [...this.#options.tables[table].entries()].map(([id, body]) => tombstoneIdOfUnwritten({ id, body })),
    );
    for (const id of rows.map(tombstoneIdOfUnwritten)) if (!presentIds.has(id)) this.#unwrittenIds[table].add(id);
    return this.#write();
  }

  /** Writes the tombstones that are not in the database yet; undefined if there are none. */
  writeMissingTombstones(): Promise<void> | undefined {
    return tableNames.every((name) => this.#unwrittenIds[name].size === 0) ? undefined : this.#write();
  }

  /** Called when the journal equals the database. The journal then has no refused row that needs a tombstone. */
  clear(): void {
    for (const name of tableNames) this.#unwrittenIds[name].clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  async #write(): Promise<void> {
    const { tables, withTimeout, schedule } = this.#options;
    this.#cancelRetry();
    try {
      for (const name of tableNames) {
        const ids = [...this.#unwrittenIds[name]];
        await withTimeout(tables[name].writeTombstones(ids));
        for (const id of ids) this.#unwrittenIds[name].delete(id);
      }
    } catch {
      if (!this.#isClosed) this.#cancelRetry = schedule(tombstoneRetryDelayMs, () => void this.#write());
    }
  }
}
