/**
 * An online step changes a table that may have millions of rows while servers serve requests. A migration only adds an
 * empty column, which takes a moment. The step then fills the column, or builds an index. The table `online_steps`
 * keeps the step's name forever.
 *
 * A second column stores the version of the row from which the value was computed. A server process of an earlier
 * version writes rows without the value. If the two versions of a row differ, the row therefore counts as unfilled:
 * readers compute the value themselves, and a later pass fills it.
 */
export interface OnlineStep {
  name: string;
  postgres?: IndexBuild | Backfill;
  /** SQLite never builds an index in an online step: a migration builds it before the server listens for requests. */
  sqlite?: Backfill;
}

export interface IndexBuild {
  kind: 'index';
  index: string;
  /** The statement `CREATE INDEX CONCURRENTLY name ON ...`. */
  create: string;
}

export interface Backfill {
  kind: 'backfill';
  table: string;
  /** The column that forms the primary key together with `account_id`. */
  id: string;
  /** The SQL of the assignments. Their values may not depend on the time of the batch, since a batch may run twice. */
  set: string;
  /** The SQL condition of rows that lack the value, such as `shown_version IS DISTINCT FROM version`. */
  unfilled: string;
}

/** The position of a backfill, which goes through the accounts in the order of their ids. */
export interface BackfillPosition {
  accountId: string;
  /** The id of the last visited row of the account; null once all rows of the account were visited. */
  id: string | null;
}

/** The progress of a step, which all processes of the database share. Times are milliseconds since 1970. */
export interface StepRow {
  position: BackfillPosition | null;
  seen: number;
  filled: number;
  /** When the first pass over the whole table ended. */
  doneAt: number | null;
  /** When the latest pass over the whole table ended. */
  passedAt: number | null;
}

/** A process holds a lease while it carries out a step. The lease of a killed process expires. */
export interface Lease {
  holder: string;
  now: number;
  until: number;
}

export interface BackfilledBatch {
  /** null after the last account. */
  position: BackfillPosition | null;
  seen: number;
  filled: number;
}

/**
 * A connection for online steps alone. Steps thus take no connection away from requests. Each method rejects with
 * `StoreUnavailable` during an outage.
 */
export interface OnlineStepStore {
  /** Reads the progress of the step without writing. Returns undefined if no process has begun it. */
  read(name: string): Promise<StepRow | undefined>;
  /** Takes or renews the lease. Returns undefined while another process has it. */
  claim(name: string, lease: Lease): Promise<StepRow | undefined>;
  /** Saves the progress, unless another process has the lease. */
  save(name: string, holder: string, row: StepRow): Promise<void>;
  /** Fills the next rows after the position, in one transaction that holds the account's lock. */
  fill(work: Backfill, position: BackfillPosition | null, rowsMax: number): Promise<BackfilledBatch>;
  /** Builds the index, also if an earlier build left a part of it. Returns false while another connection builds it. */
  buildIndex(work: IndexBuild): Promise<boolean>;
  /** Estimates the rows of a table. */
  rowCount(table: string): Promise<number>;
  /** Closes the connection. The call under way rejects. */
  close(): Promise<void>;
}
