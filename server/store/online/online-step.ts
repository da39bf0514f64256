/**
 * Describes changes of tables that may have millions of rows. A migration adds the column, which takes a moment; the step
 * then builds the index or fills the column while servers serve. Its name stands in `online_steps` for ever.
 *
 * A filled value stands beside the version of the row that it was computed from. A server process of an earlier version
 * writes rows without the value, so a row whose two versions differ counts as unfilled: readers compute the value
 * themselves, and a later pass fills it.
 */
export interface OnlineStep {
  name: string;
  postgres?: IndexWork | FillWork;
  /** SQLite builds no index while it serves: a migration builds it before the server listens to requests. */
  sqlite?: FillWork;
}

export interface IndexWork {
  kind: 'index';
  index: string;
  /** `CREATE INDEX CONCURRENTLY name ON ...` */
  create: string;
}

export interface FillWork {
  kind: 'fill';
  table: string;
  /** The column that, after `account_id`, is the primary key. */
  id: string;
  /** The SQL of the assignments. They may not depend on when they run, since a batch may run twice. */
  set: string;
  /** The SQL of the condition of rows that lack the value, such as `shown_version IS DISTINCT FROM version`. */
  unfilled: string;
}

/** Account by account in the order of ids, a fill has come this far. `id` is null when the account is done. */
export interface FillPosition {
  accountId: string;
  id: string | null;
}

/** The row of a step, which all processes of the database share. Times are milliseconds since 1970. */
export interface StepRow {
  position: FillPosition | null;
  seen: number;
  filled: number;
  /** The end of the first whole pass. */
  doneAt: number | null;
  /** The end of the last pass. */
  passedAt: number | null;
}

/** One process at a time carries out a step. The lease of a killed process ends by itself. */
export interface Lease {
  holder: string;
  now: number;
  until: number;
}

export interface FilledBatch {
  /** null after the last account. */
  position: FillPosition | null;
  seen: number;
  filled: number;
}

/** A connection of its own, so that a step takes none from requests. Each method rejects with `StoreUnavailable` in an outage. */
export interface MigrationStepStore {
  /** Reads the step without writing; undefined if no process began it. */
  read(name: string): Promise<StepRow | undefined>;
  /** Takes or renews the lease; undefined while another process has it. */
  claim(name: string, lease: Lease): Promise<StepRow | undefined>;
  /** Saves the row, unless another process has the lease. */
  save(name: string, holder: string, row: StepRow): Promise<void>;
  /** Fills the next rows after the position, in one transaction that holds the account's lock. */
  fill(work: FillWork, position: FillPosition | null, rowsMax: number): Promise<FilledBatch>;
  /** Builds the index, or builds it anew if only a part of it is left. Returns false while another connection builds it. */
  buildIndex(work: IndexWork): Promise<boolean>;
  /** Estimates the rows of a table. */
  rowCount(table: string): Promise<number>;
  /** Rejects the call under way. */
  close(): Promise<void>;
}
