/** The queries of the store whose results come in pages or batches. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';

export interface MapQuery {
  industry?: string;
  state?: 'current' | 'future';
  archived?: boolean;
  deleted: boolean;
  /** Returns only maps with a lower `created_version`, to continue a list. */
  before?: number;
  limit: number;
}

export interface ChangesQuery {
  /** Returns only changes with a higher version. */
  after: number;
  limit: number;
  kinds: readonly PullableKind[];
  /** Adds the record of this sync client. */
  clientId?: string;
  /**
   * Leaves out runs deleted at or before this version. Default: 0, or, when `after` is 0, the account's version.
   * Later pages of a first pull pass the `accountVersion` of its first page, so that they include newer deletions.
   */
  deletedAfter?: number;
}

export interface ChangesPage {
  changes: RecordChange[];
  /** The version of the last change if there are more pages, else the account's version. */
  version: number;
  /** The account's version in the snapshot of the page. */
  accountVersion: number;
  hasMore: boolean;
}

/** Selects the rows of an account that a sweep deletes. */
export interface Retention {
  /** Idempotency keys made before this instant are deleted. */
  idempotencyBefore: string;
  /** Answers to clients that have not pushed since this instant are deleted. */
  unseenClientsBefore: string;
  /** Limits a batch to this many keys and this many answers. */
  rowsMax: number;
}

export interface RemovedRows {
  idempotencyKeys: number;
  pushAnswers: number;
}
