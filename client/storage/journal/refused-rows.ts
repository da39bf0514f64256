/**
 * Tracks rows that the database refused but the journal may have. A tombstone in the database marks each one until the
 * journal has removed it, so that an opening in between does not restore the row.
 */
import type { Clock } from '../../core/clock.ts';
import type { TableName } from '../migrations.ts';
import type { TapBody, OutboxBody, Row } from '../rows.ts';
import { tableNames, type JournaledTables } from './journaled-tables.ts';
import { refusedIdOf } from './keys.ts';

/** The pause before another try to write a tombstone that the database did not accept. */
export const tombstoneRetryMs = 15_000;

interface RefusedRowsOptions {
  tables: JournaledTables;
  schedule: Clock['schedule'];
  /** Limits how long the work may take; rejects when it takes longer. */
  withTimeout: <Result>(work: Promise<Result>) => Promise<Result>;
}

export class RefusedRows {
  readonly #options: RefusedRowsOptions;
  /** The ids of tombstones that are not in the database yet. */
  readonly #unwrittenIds: Record<TableName, Set<string>> = { outbox: new Set(), drafts: new Set() };
  #cancelRetry: () => void = () => {};
  #isClosed = false;

  constructor(options: RefusedRowsOptions) {
    this.#options = options;
  }

  /** Adds refused rows, except those that the table still has, under this or another number. */
  add(table: TableName, rows: Row<OutboxBody | TapBody>[]): Promise<void> {
    const standing = new Set([...this.#options.tables[table].entries()].map(([id, body]) => refusedIdOf({ id, body })));
    for (const id of rows.map(refusedIdOf)) if (!standing.has(id)) this.#unwrittenIds[table].add(id);
    return this.#write();
  }

  /** Tries again to write the tombstones before the next write of the database; undefined if none is left. */
  retryTombstones(): Promise<void> | undefined {
    return tableNames.every((name) => this.#unwrittenIds[name].size === 0) ? undefined : this.#write();
  }

  /** Called when the journal has removed all refused rows. */
  clear(): void {
    for (const name of tableNames) this.#unwrittenIds[name].clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  /** Writes the tombstones, and tries again later if that fails. */
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
      if (!this.#isClosed) this.#cancelRetry = schedule(tombstoneRetryMs, () => void this.#write());
    }
  }
}
