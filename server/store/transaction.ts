/** The data of a transaction: its read set, the loaded rows, and the rows to write. */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { MutationResult } from '../../shared/protocol/push.ts';
import type { AccountCounters, AccountRow } from './account-row.ts';
import type { BillingRow } from './billing/billing-row.ts';
import type { CredentialReadSet, CredentialWrites, LoadedCredentials } from './credentials/credentials.ts';
import type { IdempotencyKeySpan } from './idempotency-lifetime.ts';
import type { ClientRow } from './rows/client-row.ts';
import type { RunRowWithoutSteps, RunRow } from './rows/documents.ts';
import type { EventRow } from './events/event-row.ts';
import type { WebhookRow, WebhookWrites } from './webhooks/webhook-row.ts';
import type { AnswerWithDigest } from './rows/push-answers.ts';

/** Identifies all rows that a transaction reads. */
export interface ReadSet {
  mapIds: string[];
  runIds: number[];
  /**
   * The runs to delete. The store also loads the maps of these runs. To delete n runs, the store loads the n + 1 newest
   * runs of each such map, so that the newest run that remains is among the loaded runs.
   */
  runIdsToDelete: number[];
  /** The runs to change. The store loads them with their steps. */
  runIdsToChange: number[];
  recordingSessionIds: string[];
  /** The device-made ids that mutations bring for new stages. The store loads the ids that are already taken. */
  deviceMadeStageIds: StageKey[];
  clientIds: string[];
  /**
   * The digests of mutations. If the account was restored, the store loads the applied mutations with these digests.
   */
  mutationDigests: string[];
  idempotencyKeys: string[];
  /** Hashes of the tokens that are checked for revocation. */
  tokenHashes: string[];
}

export interface TransactionReadSet extends ReadSet {
  /** If this field is absent, the transaction neither loads nor writes devices and tokens. */
  credentials?: CredentialReadSet;
  /** Whether the endpoints of webhooks are loaded. Default: false. */
  webhooks?: boolean;
  /** Whether the account's billing is loaded. Default: false. */
  billing?: boolean;
  /** Only clients that pushed at or after this instant count as clients. Default: all count. */
  clientsSeenMin?: string;
}

export interface StageKey {
  map_id: string;
  id: number;
}

export interface LoadedRows {
  account: AccountRow;
  maps: MapDoc[];
  /** The read set's runs that are not in `runsWithSteps`, each once, including deleted runs. */
  runs: RunRowWithoutSteps[];
  /** The runs that the store finds by `runIdsToChange` or by `recordingSessionIds`. */
  runsWithSteps: RunRow[];
  /** The device-made stage ids of the read set that a stage of their map has or once had. */
  takenStageIds: StageKey[];
  clients: ClientRow[];
  appliedMutations: AppliedMutationRow[];
  idempotentReplies: IdempotentReply[];
  /** Present if the read set has an idempotency key and the store has at least one idempotency key of the account. */
  idempotencySpan?: IdempotencyKeySpan;
  /** Empty, unless a client of the read set is new or has many unacknowledged answers. */
  clientCounts: DeviceClientCounts[];
  /**
   * The number of stored rejections of each device. Empty if the read set has no client. Counting stops once the
   * account's limit is exceeded.
   */
  rejectionCounts: DeviceRejectionCount[];
  /** The token hashes of the read set whose tokens are revoked. */
  revokedTokens: string[];
  /** Present if the read set has credentials. */
  credentials?: LoadedCredentials;
  /** Present if the read set has webhooks. */
  webhooks?: WebhookRow[];
  /** Present if the read set has billing and the account ever had any. */
  billing?: BillingRow;
}

/** Counts the sync clients of one device. All API keys of the account count as one device. */
export interface DeviceClientCounts {
  /** null for the API keys of the account. */
  device_id: string | null;
  /** The clients that pushed since `clientsSeenMin`. */
  clients: number;
  /** The unacknowledged answers of all clients. */
  unacknowledged: number;
}

/** Counts the unacknowledged rejections of one device. All API keys of the account count as one device. */
export interface DeviceRejectionCount {
  /** null for the API keys of the account. */
  device_id: string | null;
  rejections: number;
}

/**
 * A mutation that a restored account applied. Uploads of recordings are left out, since the server knows a repeated
 * upload by its recording session.
 */
export interface AppliedMutationRow {
  /** A hash of two values: the mutation's digest in the chain, and its `recorded_at`. */
  digest: string;
  /** The client that sent the mutation first. */
  client_id: string;
  /** The account's version after the mutation. */
  version: number;
  result: MutationResult;
}

/** The reply to a POST or PATCH that carried an `Idempotency-Key`. */
export interface IdempotentReply {
  key: string;
  /**
   * SHA-256 in hex of the operation's name, the ids in its path and the body. For a reply that is stored encrypted, the
   * caller's token is hashed, too.
   */
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  created_at: string;
  /** The account's `keys_made` before this idempotency key was stored (idempotency-lifetime.ts). */
  keys_before: number;
  /** The account's `key_bytes_made` before this idempotency key was stored. */
  bytes_before: number;
}

export interface RecordWrites {
  account: AccountCounters;
  /** The store inserts each map, or replaces the row with the same id. */
  maps: MapDoc[];
  runs: RunRow[];
  /** The device-made ids that new stages got. No later stage of the map may get the same id. */
  takenStageIds: StageKey[];
  clients: ClientRow[];
  pushAnswers: { client_id: string; answers: AnswerWithDigest[] }[];
  appliedMutations: AppliedMutationRow[];
  /** The store deletes the applied mutations up to this version of the account. */
  appliedMutationsDeletedUpTo?: number;
  idempotentReplies: IdempotentReply[];
  events: EventRow[];
  /** The store deletes the idempotency keys that were stored before this instant. */
  idempotencyDeletedBefore?: string;
}

export interface TransactionWrites extends RecordWrites {
  credentials?: CredentialWrites;
  webhooks?: WebhookWrites;
  billing?: BillingRow;
}

export interface Decision<Result> {
  /** Absent if the transaction writes nothing. */
  writes?: TransactionWrites;
  result: Result;
}
