/** The queries and results of store methods that return pages or delete in batches. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { EventRow } from './events/event-row.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';

export interface MapQuery {
  industry?: string;
  state?: 'current' | 'future';
  archived?: boolean;
  deleted: boolean;
  /** Selects maps with a lower `created_version`, for the next page. */
  before?: number;
  limit: number;
}

/** Selects records by id, in ascending order of their ids. */
export interface IdsQuery<Id> {
  ids: readonly Id[];
  /** Selects records with a higher id, for the next page. */
  after?: Id;
  /** The page ends with the record that reaches this size, since a record may have megabytes. */
  bytesMax: number;
}

export interface ChangesQuery {
  /** Selects changes with a higher version. */
  after: number;
  limit: number;
  kinds: readonly PullableKind[];
  /** Includes the record of this sync client. */
  clientId?: string;
  /**
   * The page leaves out runs that were deleted at or before this version. Default: all deleted runs if `after` is 0, else
   * none. A first pull passes the `accountVersion` of its first page, since the device has no run that was deleted earlier.
   */
  deletedAfter?: number;
}

export interface ChangesPage {
  changes: RecordChange[];
  /** The version after which the next page starts: that of the last change, or on the last page that of the account. */
  version: number;
  /** The account's version when the page was read. */
  accountVersion: number;
  hasMore: boolean;
}

/** The place of a run in the order in which the runs of an account arrived. */
export interface RunPosition {
  /** The run's `created_at` in milliseconds since 1970. */
  createdMs: number;
  id: number;
}

/** Comes after every run: both databases compare times with a year of four digits. */
export const endOfRuns: RunPosition = { createdMs: Date.UTC(9999, 0), id: 0 };

/** Selects undeleted runs from `before`, the newest first, back to `start`. */
export interface RunsInScopeQuery {
  /** The oldest run that the scope may have. */
  start: RunPosition;
  /** Selects runs that arrived before this one, for the next page. */
  before?: RunPosition;
  /** Selects only runs among the last `perMap` numbers of their map. */
  perMap?: number;
  limit: number;
}

export interface RunsInScope {
  runs: RunDoc[];
  hasMore: boolean;
}

/** Selects account events in the order of their versions. */
export interface EventsQuery {
  /** Selects rows with an event of a higher version. */
  after: number;
  rowsMax: number;
  /** The rows end with the one that reaches this size. */
  bytesMax: number;
}

export interface EventRows {
  rows: EventRow[];
  /** Events up to this version were removed; 0 if none were. */
  removedUpTo: number;
}

/** Says which old rows of an account a sweep deletes. */
export interface Retention {
  /** The sweep deletes the idempotency keys that were stored before this instant. */
  idempotencyBefore: string;
  /** The sweep deletes the push answers of clients that last pushed before this instant. */
  unseenClientsBefore: string;
  /** The sweep deletes the statuses of devices that were revoked before this instant. */
  revokedDevicesBefore: string;
  /** The sweep deletes the tokens and devices that were revoked before this instant, but no creator of a key that remains. */
  revokedCredentialsBefore: string;
  /** The sweep deletes the account events and their deliveries from before this instant. */
  eventsBefore: string;
  /** Limits how many rows of each kind a batch deletes. */
  rowsMax: number;
}

export type SweptRows =
  | 'idempotencyKeys'
  | 'pushAnswers'
  | 'deviceStatuses'
  | 'tokens'
  | 'devices'
  | 'events'
  | 'webhookDeliveries';

export type RemovedRowCounts = Record<SweptRows, number>;
