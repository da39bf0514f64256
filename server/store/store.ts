/**
 * The interface to the database. `sqlite/` (embedded) and `postgres/` implement it, and one contract suite
 * (`test/contract/store/contract.ts`) tests both.
 *
 * All writes of records go through `transact`. It locks the account (in PostgreSQL its row, in SQLite the whole
 * database), loads a read set, calls the pure, synchronous function `decide`, writes the rows that `decide` returned,
 * and commits. A transaction therefore costs a constant number of round trips, and a driver may call `decide` again
 * after a serialization failure.
 *
 * Every method rejects with `StoreUnavailable` while the database is unavailable; any other rejection is a bug. For a
 * row that does not exist or belongs to another account, a method returns undefined or leaves the row out of a list.
 * Times are ISO 8601 in UTC with milliseconds. Hashes are lower-case hex.
 */
import type { MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { AccountRow, NewAccountRow } from './account-row.ts';
import type { BillingStore } from './billing/billing-row.ts';
import type { CredentialStore } from './credentials/credentials.ts';
import type { RevokedKeyCounts } from './credentials/key-revocation.ts';
import type { Page } from './page.ts';
import type { PhotoReferenceStore } from './photos/photo-reference.ts';
import type { PhotoStore } from './photos/photo-row.ts';
import type { WebhookStore } from './webhooks/webhook-row.ts';
import type { RunSnapshot } from './snapshot/run-snapshot.ts';
import type { ServerKeyStore } from './server-keys/server-key-row.ts';
import type {
  ChangesPage,
  ChangesQuery,
  EventRows,
  EventsQuery,
  IdsQuery,
  MapQuery,
  RemovedRowCounts,
  SweepCutoffs,
  RunPosition,
  RunsInScopePage,
  RunsInScopeQuery,
} from './queries.ts';
import type { AnswerWithDigest } from './rows/push-answers.ts';
import type { Decision, LoadedRows, TransactionReadSet } from './transaction.ts';

export interface Store
  extends BillingStore, CredentialStore, PhotoStore, PhotoReferenceStore, ServerKeyStore, WebhookStore {
  ping(): Promise<void>;
  /** Waits for the calls under way. No method may be called after `close`. */
  close(): Promise<void>;
  /** Returns the random id of the store's history. A restored backup gets a new id. */
  epoch(): Promise<string>;
  /** Completes a restore: makes a new epoch, and raises the version of each account above all its earlier versions. */
  renewEpoch(): Promise<string>;
  /** Revokes the devices of all accounts, and the API keys that devices made. */
  revokeAllDevicesAndTheirKeys(now: string): Promise<RevokedKeyCounts>;
  /**
   * Calls `listener` after each `transact` that wrote and after each finished photo. On PostgreSQL, these include
   * commits of other server processes. A poke may get lost. The returned function removes the listener.
   */
  onCommit(listener: (poke: Poke) => void): () => void;

  /** Says how this process currently hears of the commits of other processes. */
  pokeReception(): PokeReception;

  /** Has no effect if the account exists. */
  createAccount(account: NewAccountRow): Promise<void>;
  account(accountId: string): Promise<AccountRow | undefined>;
  isEmpty(): Promise<boolean>;
  /** Returns undefined if there is no account or more than one. */
  onlyAccountId(): Promise<string | undefined>;
  /** Lists account ids in ascending order, starting after `after`. */
  accountIds(query: { after?: string; limit: number }): Promise<string[]>;
  /** Measures each table with its indexes. The embedded database returns one size for all tables together. */
  tableBytes(): Promise<TableSize[]>;
  /** Deletes one batch of the account's old rows. */
  sweepAccount(accountId: string, retention: SweepCutoffs): Promise<RemovedRowCounts>;

  /** Makes `owner` the owner of a sync client that has no owner. Returns the client's owner. */
  claimClient(clientId: string, owner: ClientOwner): Promise<ClientOwner>;
  /** Removes the owner of a sync client, of which the server must have neither applied nor rejected a mutation. */
  releaseClient(clientId: string, owner: ClientOwner): Promise<void>;
  clientOwner(clientId: string): Promise<ClientOwner | undefined>;

  /**
   * Writes records of an existing account, or nothing if `decide` throws. `decide` must be pure, since it may run
   * again. After `StoreUnavailable` the commit may have happened, so a retry must be idempotent.
   */
  transact<Result>(
    accountId: string,
    readSet: TransactionReadSet,
    decide: (loaded: LoadedRows) => Decision<Result>,
  ): Promise<Result>;

  map(accountId: string, mapId: string): Promise<MapDoc | undefined>;
  /** Reads a page of maps in one statement. */
  mapsByIds(accountId: string, query: IdsQuery<string>): Promise<Page<MapDoc, string>>;
  /** Lists maps, newest first. */
  maps(accountId: string, query: MapQuery): Promise<Page<MapRecord>>;
  run(accountId: string, runId: number): Promise<RunDoc | undefined>;
  /** Reads a page of runs in one statement. */
  runsByIds(accountId: string, query: IdsQuery<number>): Promise<Page<RunDoc>>;
  /** Lists the runs of a map, newest first, without their steps. */
  runs(accountId: string, query: { mapId: string; before?: number; limit: number }): Promise<Page<RunRecord>>;
  /** Returns the changes after the version `query.after`, ordered by version, from one snapshot of the database. */
  changes(accountId: string, query: ChangesQuery): Promise<ChangesPage>;
  /** Returns the position of the oldest of the `runsMax` newest undeleted runs. undefined if there are fewer runs. */
  startOfNewestRuns(accountId: string, runsMax: number): Promise<RunPosition | undefined>;
  /** Returns a page of the runs in a device's scope, newest first. */
  runsInScope(accountId: string, query: RunsInScopeQuery): Promise<RunsInScopePage>;
  /**
   * Gives `work` a snapshot of the account's runs at one version. Other calls read and write meanwhile. A read more
   * than `msMax` (default: `snapshotMsMax`) after the start rejects with `SnapshotExpired`.
   */
  withRunSnapshot<Result>(
    accountId: string,
    work: (snapshot: RunSnapshot) => Promise<Result>,
    msMax?: number,
  ): Promise<Result>;
  /** Tells whether more than `count` runs changed after a version. */
  haveMoreRunsChanged(accountId: string, query: { after: number; count: number }): Promise<boolean>;
  /** Returns the account's events after a version, oldest first, with one row for each transaction. */
  events(accountId: string, query: EventsQuery): Promise<EventRows>;
  /**
   * Returns the stored answers to a client's mutations with the sequence numbers `from` to `to`, in ascending order.
   * Acknowledged rejections are missing. Acknowledged results before the last `acknowledgedAnswersMax` may be missing.
   */
  pushAnswers(accountId: string, query: { clientId: string; from: number; to: number }): Promise<AnswerWithDigest[]>;
}

/**
 * Thrown while the database is down, restarting or full, or if an account asks for more than the database can write.
 * The request gets 503 and may be retried.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * How this process hears of commits. `local`: SQLite, only of its own. `listen`: other processes poke this one. `poll`:
 * pokes are switched off or their connection is lost, so event streams and webhooks poll the database.
 */
export type PokeReception = 'local' | 'listen' | 'poll';

/** Tells event streams and webhooks that an account changed, on PostgreSQL in all server processes. */
export interface Poke {
  accountId: string;
  version: number;
  /** True if the transaction revoked a token of the account. */
  revoked?: boolean;
  /** When another process committed, in milliseconds since 1970. Absent for a commit of this process. */
  committedAtMs?: number;
}

export interface TableSize {
  table: string;
  bytes: number;
}

export interface ClientOwner {
  accountId: string;
  /** null if an API key made the client: all API keys of the account own it together. */
  deviceId: string | null;
}
