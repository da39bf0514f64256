/** What is asked of the store in pages. */
import type { RecordChange, RecordKind } from '../../shared/protocol/pull.ts';

export interface MapQuery {
  industry?: string;
  state?: 'current' | 'future';
  archived?: boolean;
  deleted: boolean;
  /** Continue a walk: only maps created before this position. */
  before?: number;
  limit: number;
}

export interface ChangesQuery {
  after: number;
  limit: number;
  kinds: readonly RecordKind[];
  /** Whose client record comes along. */
  clientId?: string;
  /**
   * A run that was deleted at or before this version is left out. Unset: 0, or, when `after` is 0, the account's version,
   * since who knows nothing needs only what exists. The later pages of such a first walk pass the `accountVersion` of its
   * first page, so that they too leave out what was gone before, and do not miss what is deleted meanwhile.
   */
  deletedAfter?: number;
}

export interface ChangesPage {
  changes: RecordChange[];
  /** The version that the page reaches: of the last change when there is more, else the account's. */
  version: number;
  /** The account's version in the page's snapshot. */
  accountVersion: number;
  hasMore: boolean;
}

/** Says which rows of an account a sweep removes. */
export interface Retention {
  /** Older idempotency keys go. */
  keysBefore: string;
  /** Answers go whose client has not pushed since. */
  unseenBefore: string;
  /** Bounds one batch, for keys and for answers each. */
  rowsMax: number;
}

export interface RemovedRows {
  keys: number;
  answers: number;
}
