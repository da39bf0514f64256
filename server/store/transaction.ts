/** The values of a transaction: the keys that it reads, the rows that it loads, and the rows that it writes. */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { AccountCounters, AccountRow } from './account-row.ts';
import type { CredentialReadSet, CredentialWrites, LoadedCredentials } from './credentials/credentials.ts';
import type { IdempotencySpan } from './idempotency-lifetime.ts';
import type { ClientRow } from './rows/client-row.ts';
import type { RunRow } from './rows/documents.ts';
import type { RememberedAnswer } from './rows/push-answers.ts';

/** The keys of everything that a transaction reads. */
export interface ReadSet {
  mapIds: string[];
  runIds: number[];
  /** Runs about to be deleted. Each brings its map and the newest `deletedRunIds.length + 1` runs of that map. */
  deletedRunIds: number[];
  recordingSessionIds: string[];
  /** Stage ids that a client made: the transaction has to know whether they were used before. */
  stageIds: StageKey[];
  clientIds: string[];
  idempotencyKeys: string[];
  /** Hashes of tokens: the transaction has to know whether they are revoked. */
  tokenHashes: string[];
}

export interface TransactionReadSet extends ReadSet {
  /** When absent, the transaction neither loads nor writes devices and tokens. */
  credentials?: CredentialReadSet;
}

export interface StageKey {
  map_id: string;
  id: number;
}

export interface LoadedRows {
  account: AccountRow;
  maps: MapDoc[];
  /** Each run occurs once. Only the runs found by a recording session come with their steps. */
  runs: RunRow[];
  /** The keys of `ReadSet.stageIds` that were used before, even if the stage is deleted. */
  stageIds: StageKey[];
  clients: ClientRow[];
  idempotentReplies: IdempotentReply[];
  /** Present when the read set has an idempotency key and the account remembers any key. */
  idempotencySpan?: IdempotencySpan;
  /** Empty unless a client of the read set is new or has many unacknowledged answers. */
  clientCounts: ClientCount[];
  /**
   * The numbers of stored rejections for each device. Empty unless the read set has a client. Counting stops at the
   * account's limit.
   */
  rejectionCounts: RejectionCount[];
  /** The hashes of `ReadSet.tokenHashes` whose tokens are revoked. */
  revokedTokens: string[];
  /** Present when the read set has credentials. */
  credentials?: LoadedCredentials;
}

/** The sync clients of one device, or of all API keys of the account. */
export interface ClientCount {
  /** null for the API keys. */
  device_id: string | null;
  clients: number;
  /** The number of their answers that no client acknowledged. */
  unacknowledged: number;
}

/** The unacknowledged rejections of one device, or of all API keys of the account. */
export interface RejectionCount {
  /** null for the API keys. */
  device_id: string | null;
  rejections: number;
}

/** The reply to a POST or PATCH that carried an `Idempotency-Key`. */
export interface IdempotentReply {
  key: string;
  /** SHA-256 in hex over method, path and body. */
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  created_at: string;
  /** The account's `keys_made` before this key; `idempotency-lifetime.ts` uses it. */
  keys_before: number;
  /** The account's `key_bytes_made` before this key. */
  bytes_before: number;
}

export interface RecordWrites {
  /** The account's counters after the transaction. */
  account: AccountCounters;
  /** Each map is inserted, or replaces the stored one. */
  maps: MapDoc[];
  runs: RunRow[];
  /** Stage ids made by a client that no later stage may use. */
  stageIds: StageKey[];
  clients: ClientRow[];
  pushAnswers: { client_id: string; answers: RememberedAnswer[] }[];
  idempotentReplies: IdempotentReply[];
  /** Idempotency keys made before this instant are deleted. */
  idempotencyDeletedBefore?: string;
}

export interface TransactionWrites extends RecordWrites {
  credentials?: CredentialWrites;
}

export interface Decision<Result> {
  /** Absent when the transaction only reads. */
  writes?: TransactionWrites;
  result: Result;
}
