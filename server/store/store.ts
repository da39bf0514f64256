/**
 * What the service asks of a database, in the words of the domain. Two drivers implement it, `sqlite/` (embedded) and
 * `postgres/`, and one contract suite (`test/contract/store/contract.ts`) runs over both.
 *
 * Writing is one verb: `transact` takes the account's row (its lock and its version), loads what the work wants,
 * lets a pure synchronous `decide` say what to write, writes it and commits. So a transaction costs a constant number of
 * round trips, a driver may run `decide` again after a serialization failure, and SQLite never holds a
 * transaction open across a tick of the event loop.
 *
 * Every verb rejects with `StoreUnavailable` while the database is away; any other rejection is a bug. What is not there, or
 * is another account's, is undefined or left out. Times are ISO 8601 in UTC with milliseconds, hashes lower-case hex.
 */
import type { MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import type { AccessStore, AccessWants, AccessWrites, AccountFields, LoadedAccess } from './access.ts';
import type { KeySpan } from './idempotency-lifetime.ts';
import type { RevokedKeys } from './keys-of-devices.ts';
import type { Page } from './page.ts';
import type { ChangesPage, ChangesQuery, MapQuery, RemovedRows, Retention } from './queries.ts';

export interface Store extends AccessStore {
  /** Resolves once the database answers. */
  ping(): Promise<void>;
  /** Finishes what is under way; nothing may be asked afterwards. */
  close(): Promise<void>;
  /** Changes when the store is restored from a backup. */
  epoch(): Promise<string>;
  /** Makes a new epoch, and takes each account to a version that it never had: the step that ends a restore. */
  renewEpoch(): Promise<string>;
  /** Ends the token of each device of each account, and the keys that devices made, for a restore that brought revoked ones back. */
  revokeAllDevices(now: string): Promise<RevokedKeys>;
  /**
   * Told after each commit, of this process and, on PostgreSQL, of the others. A poke is a hint and may be lost.
   * What it gives stops the telling.
   */
  onCommit(listener: (poke: Poke) => void): () => void;

  /** Leaves an account that exists as it is. */
  createAccount(account: NewAccountRow): Promise<void>;
  account(accountId: string): Promise<AccountRow | undefined>;
  /** True while no account was ever made. */
  isEmpty(): Promise<boolean>;
  /** The account, as long as there is just one. */
  onlyAccount(): Promise<string | undefined>;
  /** In their order; only those after `after`. */
  accountIds(query: { after?: string; limit: number }): Promise<string[]>;
  /** Removes a batch of what the account need not keep any longer. */
  sweepAccount(accountId: string, retention: Retention): Promise<RemovedRows>;

  /** Who a sync client belongs to: the first who claimed it, for ever. */
  claimClient(clientId: string, owner: ClientOwner): Promise<ClientOwner>;
  /** Nobody's again, where nothing was pushed under it. */
  releaseClient(clientId: string, owner: ClientOwner): Promise<void>;
  /** undefined while nobody claimed it: who only asks does not become the owner. */
  clientOwner(clientId: string): Promise<ClientOwner | undefined>;

  /**
   * The only way records are written; the account has to exist. Resolves when the commit is durable. `decide` must be pure:
   * it may run again. When it throws, nothing is written and the promise rejects with what it threw. After
   * `StoreUnavailable` the work may or may not have been committed, so that whoever tries again has to be idempotent.
   */
  transact<Result>(
    accountId: string,
    wants: TransactionWants,
    decide: (loaded: Loaded) => Decision<Result>,
  ): Promise<Result>;

  map(accountId: string, mapId: string): Promise<MapDoc | undefined>;
  /** Newest first. */
  maps(accountId: string, query: MapQuery): Promise<Page<MapRecord>>;
  run(accountId: string, runId: number): Promise<RunDoc | undefined>;
  /** Newest first, without their steps. */
  runs(accountId: string, query: { mapId: string; before?: number; limit: number }): Promise<Page<RunRecord>>;
  /** The changes after `after`, in the order of their versions, from one snapshot. */
  changes(accountId: string, query: ChangesQuery): Promise<ChangesPage>;
  /** The answers to the mutations `from`..`to` of a client that it has not acknowledged, ascending. */
  pushAnswers(accountId: string, query: { clientId: string; from: number; to: number }): Promise<RememberedAnswer[]>;
}

/** The database is down, restarting or full: the caller answers 503 and the request may be tried again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

export interface Poke {
  accountId: string;
  version: number;
  /** Some token of the account was revoked. */
  revoked?: boolean;
}

/** The account's row. Each written record takes the next `version`; each server-made id the next `next_id`. */
export interface AccountRow extends NewAccountRow {
  version: number;
  next_id: number;
  /** Maps that are not deleted: what the cap counts. */
  live_maps: number;
  /** Grows when a token is revoked: who holds a stream open looks its token up again. */
  revocations: number;
  /** About what its maps and runs take. */
  bytes: number;
  /** Idempotency keys that it ever made, and the bytes of their answers. */
  keys_made: number;
  key_bytes_made: number;
}

/** What each transaction counts on in the account's row. */
type AccountCounters = Pick<AccountRow, 'version' | 'next_id' | 'live_maps' | 'bytes' | 'keys_made' | 'key_bytes_made'>;

export interface NewAccountRow extends AccountFields {
  id: string;
  created_at: string;
}

export interface ClientOwner {
  accountId: string;
  /** null: the account's API keys. */
  deviceId: string | null;
}

/** The keys of everything that a transaction reads. */
export interface Wants {
  mapIds: string[];
  runIds: number[];
  /** Runs about to be deleted: their maps come too, and of each such map the newest `deletedRunIds.length + 1` runs. */
  deletedRunIds: number[];
  recordingSessionIds: string[];
  /** Client-made stage ids whose earlier use must be known. */
  stageIds: StageKey[];
  clientIds: string[];
  idempotencyKeys: string[];
  /** Tokens whose revocation must be known. */
  tokenHashes: string[];
}

export interface TransactionWants extends Wants {
  /** Devices and tokens; without it none are loaded and none may be written. */
  access?: AccessWants;
}

export interface StageKey {
  map_id: string;
  id: number;
}

export interface Loaded {
  account: AccountRow;
  maps: MapDoc[];
  /**
   * By id, by recording session and the neighbours of those about to be deleted; each once. Only those of a wanted session
   * come with their steps.
   */
  runs: RunRow[];
  /** Those of `Wants.stageIds` that were ever used. */
  stageIds: StageKey[];
  clients: ClientRow[];
  idempotentAnswers: IdempotentAnswer[];
  /** The idempotency keys that are remembered, when one was wanted and there are any. */
  keySpan?: KeySpan;
  /** Of each device, the account's keys together being one, when a wanted client is new or leaves many answers unacknowledged. */
  clientCounts: ClientCount[];
  /** Unacknowledged rejections by device, counted as far as the account's bound, when a client was wanted. */
  rejectionCounts: RejectionCount[];
  /** Those of `Wants.tokenHashes` that are revoked. */
  revokedTokens: string[];
  /** When it was wanted. */
  access?: LoadedAccess;
}

export interface ClientCount {
  device_id: string | null;
  clients: number;
  /** Answers that nobody acknowledged. */
  unacknowledged: number;
}

export interface RejectionCount {
  device_id: string | null;
  rejections: number;
}

/**
 * A run's row. It stays when the run is deleted (`doc` null): its id, number and recording session are never used again,
 * and the session's first answer can still be given.
 */
export interface RunRow {
  id: number;
  map_id: string;
  number: number;
  created_at: string;
  version: number;
  recording_session_id: string;
  /** SHA-256 in hex over the recording's target and steps. */
  fingerprint: string;
  /** Whether the recording made its map. */
  made_map: boolean;
  /** The map as the recording left it, without the stages: they follow from the steps and `stage_ids`. */
  map_then: MapRecord;
  stage_ids: number[];
  /** About what it takes in the store. */
  bytes: number;
  doc: RunDoc | null;
}

export interface ClientRow {
  client_id: string;
  /** The device that pushed last; null for API keys. */
  device_id: string | null;
  /** When it pushed last; null where only an earlier version of the server knew. */
  seen_at: string | null;
  last_seq: number;
  acked_seq: number;
  /** The hash chain over its mutations up to `last_seq` (shared/protocol/chain.ts). */
  chain: string;
  version: number;
  /** Those beyond `acked_seq`, in any order. One that is kept already comes without its error, and is not written again. */
  rejections: Rejection[];
}

export interface Rejection {
  seq: number;
  error?: Problem;
}

/** The answer to a pushed mutation, with the digest of what it answers; one of an earlier version of the server has none. */
export type RememberedAnswer = MutationAnswer & { digest?: string };

/** The answer to a POST or PATCH that carried an `Idempotency-Key`. */
export interface IdempotentAnswer {
  key: string;
  /** SHA-256 in hex over method, path and body. */
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  created_at: string;
  /** What the account had made before it (server/store/idempotency-lifetime.ts). */
  keys_before: number;
  bytes_before: number;
}

export interface Writes {
  /** The account's counters after the transaction. */
  account: AccountCounters;
  /** Inserted or replaced whole. Lists are ordered by the version of a map's first write, which the driver keeps beside it. */
  maps: MapDoc[];
  runs: RunRow[];
  /** Client-made stage ids that are used from now on. */
  stageIds: StageKey[];
  clients: ClientRow[];
  pushAnswers: { client_id: string; answers: RememberedAnswer[] }[];
  idempotentAnswers: IdempotentAnswer[];
  /** Older idempotency keys go. */
  keysForgottenBefore?: string;
}

export interface TransactionWrites extends Writes {
  access?: AccessWrites;
}

/** `writes` absent: nothing changed, the transaction only read. */
export interface Decision<Result> {
  writes?: TransactionWrites;
  result: Result;
}
