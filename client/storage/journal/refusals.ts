/**
 * Rows that the database refused and the journal may have taken. A tombstone in the database says so until the journal has
 * heard of the refusal: at an opening in between such a row is not put back.
 */
import type { Clock } from '../../core/clock.ts';
import type { TableName } from '../migrations.ts';
import type { DraftBody, OutboxBody, Row } from '../rows.ts';
import { tableNames, type JournaledTables } from './journaled-tables.ts';
import { refusedIdOf } from './keys.ts';

/** The pause before a tombstone that the database did not take is tried again. */
export const tombstoneRetryMs = 15_000;

interface RefusalsOptions {
  tables: JournaledTables;
  schedule: Clock['schedule'];
  /** Rejects when the work takes too long. */
  within: <Result>(work: Promise<Result>) => Promise<Result>;
}

export class Refusals {
  readonly #options: RefusalsOptions;
  /** Ids of tombstones that the database has not taken yet. */
  readonly #unwritten: Record<TableName, Set<string>> = { outbox: new Set(), drafts: new Set() };
  #cancelRetry: () => void = () => {};
  #isClosed = false;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** Adds refused rows, except those that stand, under this or another number. */
  add(table: TableName, rows: Row<OutboxBody | DraftBody>[]): Promise<void> {
    const standing = new Set([...this.#options.tables[table].entries()].map(([id, body]) => refusedIdOf({ id, body })));
    for (const id of rows.map(refusedIdOf)) if (!standing.has(id)) this.#unwritten[table].add(id);
    return this.#write();
  }

  /** Tries again before the next write of the database; undefined where nothing is left to write. */
  settle(): Promise<void> | undefined {
    return tableNames.every((name) => this.#unwritten[name].size === 0) ? undefined : this.#write();
  }

  /** The journal has heard of every refusal. */
  clear(): void {
    for (const name of tableNames) this.#unwritten[name].clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  /** Tries again later where it fails. */
  async #write(): Promise<void> {
    const { tables, within, schedule } = this.#options;
    this.#cancelRetry();
    try {
      for (const name of tableNames) {
        const ids = [...this.#unwritten[name]];
        await within(tables[name].bury(ids));
        for (const id of ids) this.#unwritten[name].delete(id);
      }
    } catch {
      if (!this.#isClosed) this.#cancelRetry = schedule(tombstoneRetryMs, () => void this.#write());
    }
  }
}
