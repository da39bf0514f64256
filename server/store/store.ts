/**
 * The interface of the database, in the terms of the domain. `sqlite/` (embedded) and `postgres/` implement it, and one
 * contract suite (`test/contract/store/contract.ts`) tests both.
 *
 * All writes of records go through `transact`. It locks the account's row, loads a read set, calls the pure, synchronous
 * function `decide`, writes the rows that `decide` returned and commits. A transaction therefore costs a constant number of
 * round trips, a driver may call `decide` again after a serialization failure, and SQLite never holds a transaction open
 * across turns of the event loop.
 *
 * Every method rejects with `StoreUnavailable` while the database is unavailable; any other rejection is a bug. A row that
 * does not exist or belongs to another account is undefined or left out. Times are ISO 8601 in UTC with milliseconds.
 * Hashes are lower-case hex.
 */
import type { MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { AccountRow, NewAccountRow } from './account-row.ts';
import type { CredentialStore } from './credentials/credentials.ts';
import type { RevokedKeyCounts } from './credentials/key-revocation.ts';
import type { Page } from './page.ts';
import type { ChangesPage, ChangesQuery, MapQuery, RemovedRows, Retention } from './queries.ts';
import type { RememberedAnswer } from './rows/push-answers.ts';
import type { Decision, LoadedRows, TransactionReadSet } from './transaction.ts';

export interface Store extends CredentialStore {
  /** Resolves once the database answers. */
  ping(): Promise<void>;
  /** Waits for calls under way. No method may be called afterwards. */
  close(): Promise<void>;
  /** A random id of the store's history; restoring a backup changes it. */
  epoch(): Promise<string>;
  /** Ends a restore: makes a new epoch and raises each account's version above any version that it had before. */
  renewEpoch(): Promise<string>;
  /** Revokes the devices of all accounts and the API keys that devices made, since a restore can undo revocations. */
  revokeAllDevices(now: string): Promise<RevokedKeyCounts>;
  /**
   * Calls `listener` after each commit of this process and, on PostgreSQL, of other processes. A poke may be lost.
   * The returned function removes the listener.
   */
  onCommit(listener: (poke: Poke) => void): () => void;

  /** Does nothing if the account exists. */
  createAccount(account: NewAccountRow): Promise<void>;
  account(accountId: string): Promise<AccountRow | undefined>;
  /** True until the first account is made. */
  isEmpty(): Promise<boolean>;
  /** The id of the account if there is exactly one. */
  onlyAccount(): Promise<string | undefined>;
  /** Account ids in ascending order, beginning behind `after`. */
  accountIds(query: { after?: string; limit: number }): Promise<string[]>;
  /** Deletes a batch of the account's old rows. */
  sweepAccount(accountId: string, retention: Retention): Promise<RemovedRows>;

  /** Makes `owner` the owner of a sync client that has none. Returns the client's owner. */
  claimClient(clientId: string, owner: ClientOwner): Promise<ClientOwner>;
  /** Removes the owner of a sync client; the caller makes sure that nothing was pushed under it. */
  releaseClient(clientId: string, owner: ClientOwner): Promise<void>;
  /** The owner of a sync client, or undefined while it has none. */
  clientOwner(clientId: string): Promise<ClientOwner | undefined>;

  /**
   * Writes records of an existing account. `decide` must be pure, since it may run again; if it throws, nothing is written.
   * Resolves when the commit is durable. After `StoreUnavailable` the commit is uncertain, so a retry must be idempotent.
   */
  transact<Result>(
    accountId: string,
    readSet: TransactionReadSet,
    decide: (loaded: LoadedRows) => Decision<Result>,
  ): Promise<Result>;

  map(accountId: string, mapId: string): Promise<MapDoc | undefined>;
  /** Maps, newest first. */
  maps(accountId: string, query: MapQuery): Promise<Page<MapRecord>>;
  run(accountId: string, runId: number): Promise<RunDoc | undefined>;
  /** Runs of a map without their steps, newest first. */
  runs(accountId: string, query: { mapId: string; before?: number; limit: number }): Promise<Page<RunRecord>>;
  /** The changes after version `query.after`, in the order of their versions, read from one snapshot. */
  changes(accountId: string, query: ChangesQuery): Promise<ChangesPage>;
  /** The unacknowledged answers to the mutations `from`..`to` of a client, in ascending order. */
  pushAnswers(accountId: string, query: { clientId: string; from: number; to: number }): Promise<RememberedAnswer[]>;
}

/** The database is down, restarting or full. The request fails with 503 and may be retried. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Tells other requests and processes that an account changed. */
export interface Poke {
  accountId: string;
  version: number;
  /** The transaction revoked a token of the account. */
  revoked?: boolean;
}

export interface ClientOwner {
  accountId: string;
  /** null for the account's API keys, which share their sync clients. */
  deviceId: string | null;
}
