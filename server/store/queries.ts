/** The queries of the store that return pages or work in batches. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';

export interface MapQuery {
  industry?: string;
  state?: 'current' | 'future';
  archived?: boolean;
  deleted: boolean;
  /** The list continues with the maps that have a lower `created_version`. */
  before?: number;
  limit: number;
}

export interface ChangesQuery {
  /** Selects the changes with a higher version. */
  after: number;
  limit: number;
  kinds: readonly PullableKind[];
  /** Includes the record of this sync client. */
  clientId?: string;
  /**
   * Leaves out the runs that were deleted at or before this version. The first page of a first pull (`after` is 0, this
   * field is absent) leaves out all deleted runs. Its later pages pass the `accountVersion` of the first page.
   */
  deletedAfter?: number;
}

export interface ChangesPage {
  changes: RecordChange[];
  /** The next page begins after this version: the version of the last change or, on the last page, of the account. */
  version: number;
  /** The account's version when the page was read. */
  accountVersion: number;
  hasMore: boolean;
}

/** Says which old rows of an account a sweep deletes. */
export interface Retention {
  /** The sweep deletes the idempotency keys that were stored before this instant. */
  idempotencyBefore: string;
  /** The sweep deletes the push answers of clients that last pushed before this instant. */
  unseenClientsBefore: string;
  /** Limits the idempotency keys of a batch, and the push answers of a batch. */
  rowsMax: number;
}

export interface RemovedRowCounts {
  idempotencyKeys: number;
  pushAnswers: number;
}
