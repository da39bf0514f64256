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
  /** The page ends with the record that brings its size to this limit, since one record may have megabytes. */
  bytesMax: number;
}

export interface ChangesQuery {
  /** Selects changes with a version above this one. */
  after: number;
  limit: number;
  kinds: readonly PullableKind[];
  /** The sync client whose record the page may include. Other clients' records are left out. */
  clientId?: string;
  /**
   * Leaves out runs that were deleted at or before this version. Default: all deleted runs if `after` is 0, else none.
   * A full pull passes the `accountVersion` of its first page, since the pull replaces all records of the device.
   */
  deletedAfter?: number;
}

export interface ChangesPage {
  changes: RecordChange[];
  /** The version after which the next page starts: the last change's version or, on the last page, `accountVersion`. */
  version: number;
  /** The account's version when the page was read. */
  accountVersion: number;
  hasMore: boolean;
}

/** The position of a run in the list of an account's runs, which is ordered by their arrival at the server. */
export interface RunPosition {
  /** The run's `created_at` in milliseconds since 1970. */
  createdMs: number;
  id: number;
}

/** A position after every run. The year is the last one with four digits, since SQLite compares times as texts. */
export const positionAfterAllRuns: RunPosition = { createdMs: Date.UTC(9999, 0), id: 0 };

/** Selects the undeleted runs of a device's scope, from `before` back to `start`, newest first. */
export interface RunsInScopeQuery {
  /** The oldest run of the scope. */
  start: RunPosition;
  /** Selects runs that arrived before this one, for the next page. */
  before?: RunPosition;
  /** Selects a run only if its number is among the last `runsPerMap` numbers that its map gave to runs. */
  runsPerMap?: number;
  limit: number;
}

export interface RunsInScopePage {
  runs: RunDoc[];
  hasMore: boolean;
}

/** Selects account events in the order of their versions. */
export interface EventsQuery {
  /** Selects rows that have an event with a version above this one. */
  after: number;
  rowsMax: number;
  /** Reading stops after the row that brings the total size to this limit. */
  bytesMax: number;
}

export interface EventRows {
  rows: EventRow[];
  /** The highest version whose events were removed. 0 if no events were removed. */
  removedUpTo: number;
}

/** Says which old rows of an account a sweep deletes. */
export interface SweepCutoffs {
  /** The sweep deletes the idempotency keys that were stored before this instant. */
  idempotencyBefore: string;
  /** The sweep deletes the push answers of clients that last pushed before this instant. */
  unseenClientsBefore: string;
  /** The sweep deletes the statuses of devices that were revoked before this instant. */
  revokedDevicesBefore: string;
  /** The sweep deletes the tokens and devices that were revoked before this instant, unless they made a stored key. */
  revokedCredentialsBefore: string;
  /** The sweep deletes the account events and their deliveries from before this instant. */
  eventsBefore: string;
  /** Limits how many rows of each kind a batch deletes. */
  rowsMax: number;
}

export type SweptRowKind =
  | 'idempotencyKeys'
  | 'pushAnswers'
  | 'deviceStatuses'
  | 'tokens'
  | 'devices'
  | 'events'
  | 'webhookDeliveries';

export type RemovedRowCounts = Record<SweptRowKind, number>;
