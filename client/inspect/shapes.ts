/**
 * The shapes in which an engine shows what it does. Times are ISO 8601 by the clock of the device, durations are
 * milliseconds, sizes are bytes, and null means that the device does not know.
 */
import type { Custody } from '../recording/custody.ts';
import type { JournalState } from '../storage/journal/journal.ts';
import type { Status } from '../sync/tabs/status.ts';

/** An object of JSON, whose fields the reader does not know. */
export type Json = Readonly<Record<string, unknown>>;

export interface DeviceSnapshot {
  taken_at: string;
  engine: EngineFacts;
  platform: PlatformFacts;
  status: Status;
  outbox: OutboxFacts;
  base: BaseFacts;
  custody: CustodyFacts;
  trace: TraceFacts;
  journal: JournalFacts;
  storage: StorageFacts;
}

/** A part of a snapshot that can be read alone. */
export type SnapshotPart = Exclude<keyof DeviceSnapshot, 'taken_at'>;

/** A snapshot with these parts alone. */
export type Snapshot<Part extends SnapshotPart> = Pick<DeviceSnapshot, Part | 'taken_at'>;

export interface EngineFacts {
  version: string;
  protocol: number;
  /** The version of the rows of the outbox and of the drafts. */
  rows_version: number;
  kind: string;
  /** The origin of the server's address. */
  server: string;
  database: string;
  device_id: string;
  client_id: string;
  account_id: string | null;
  /** Whether the device has a token; the token itself is never read. */
  has_token: boolean;
  /** The highest number that a mutation of the client id has. */
  last_seq: number;
  /** The highest number that was sent or is about to be sent. */
  sent_seq: number | null;
  /** The highest number that a pull has proven to be on the server. */
  proven_seq: number | null;
  options: Record<string, boolean | number>;
}

export interface PlatformFacts {
  user_agent: string | null;
  language: string | null;
  time_zone: string;
  is_online: boolean | null;
  is_visible: boolean | null;
}

/** `forwarded` waits under an earlier client id of the device, and a `receipt` is of a recording that the server has. */
export type MutationState = 'pending' | 'forwarded' | 'refused' | 'discarded' | 'receipt';

export interface OutboxFacts {
  counts: Record<MutationState, number>;
  /** At most 500: what waits first, then the latest of each other state. */
  entries: OutboxItem[];
  left_out: number;
}

/** A mutation of the outbox. */
export interface OutboxItem {
  state: MutationState;
  client_id: string;
  /** Null for a settled mutation that moved to another client id. */
  seq: number | null;
  /** The kind of the mutation, such as `upload_recording`. */
  name: string;
  recorded_at: string;
  args: Json;
  /** True if the server gets its number without content. */
  is_noop: boolean;
  /**
   * How many requests of the trace sent it; null if no trace had begun when it was made, or if it waits under an earlier
   * client id.
   */
  attempts: number | null;
  /** The code of the last failure: of the refusal, or of the last traced request that sent it. */
  last_failure: string | null;
  /** The reason of a refusal. */
  error: Json | null;
  proven_at: string | null;
}

/** The records as last pulled, and those that pending mutations change. */
export interface BaseFacts {
  maps: number;
  runs: number;
  cursor: { cursor: string; epoch: string; complete: boolean; synced_at: string | null; partial: boolean } | null;
  /** The records that mutations on top of the base create, change or delete. */
  pending: { kind: 'map' | 'run'; id: string }[];
}

/** A map or a run in a list to choose from. */
export interface NamedRecord {
  id: string;
  name: string;
  is_pending: boolean;
}

/** A record from the server, and as it is with the pending mutations on top. */
export interface RecordLayers {
  kind: 'map' | 'run';
  id: string;
  base: Json | null;
  shown: Json | null;
  /** The fields that differ. */
  changed: string[];
  /** The mutations that wait on top. */
  pending: OutboxItem[];
}

export interface CustodyFacts {
  /** At most 200, the latest first. */
  recordings: RecordingCustody[];
  /** The messages that this device carries for others; null if it does not carry. */
  carrying: { messages: number; bytes: number; oldest_at: string | null } | null;
  /** Messages that were read from screens. */
  read_codes: { taken_at: string; delivered: boolean; refused: boolean }[];
  hand_over_problem: string | null;
}

export interface RecordingCustody {
  recording_session_id: string;
  map_id: string | null;
  recorded_at: string;
  /** `draft` until the recording is in the outbox. */
  state: 'draft' | MutationState;
  custody: Custody;
  /** The carriers that have it, if this device hands over. */
  carriers: HandedOver[];
}

export interface HandedOver {
  at: string;
  proven: boolean;
}

export interface TraceFacts {
  is_on: boolean;
  /** When the trace began; null if it never did. */
  begun_at: string | null;
  /** False if another tab of this browser syncs, which then has the requests. */
  leads: boolean;
  /** The newest first, at most 50. */
  rounds: SyncRound[];
}

/** A round of the sync, or the requests between two rounds. */
export interface SyncRound {
  at: string;
  /** Null while it goes on. */
  ms: number | null;
  /** The phase in which it ended; `between` for requests outside of a round. */
  outcome: Status['phase'] | 'between';
  error: string | null;
  /** How many mutations waited at its begin and at its end. */
  waiting_before: number;
  waiting_after: number;
  /** How many maps and runs were written, those that were removed included. */
  records_written: number;
  /** At most 40. */
  requests: SyncRequest[];
  requests_left_out: number;
}

export interface SyncRequest {
  at: string;
  kind: 'push' | 'pull' | 'runs' | 'events' | 'photos' | 'other';
  method: string;
  /** Null if there was no answer. */
  status: number | null;
  /** The time until the answer began; null while it is awaited. */
  ms: number | null;
  sent_bytes: number | null;
  /** The size of the body on the way, as the server or the browser tells it. */
  received_bytes: number | null;
  error: string | null;
  by: 'network' | 'carrier';
  /** For a push, the client id whose mutations it sent. */
  client_id: string | null;
  /** For a push under the client id of the device, the highest number that was sent. */
  sent_seq: number | null;
}

export interface JournalFacts {
  state: JournalState;
  /** The rows that the second copy has while it is `kept`. */
  rows: number;
  /** The latest write, as the browser tells of its files or the inspector saw it. */
  written_at: string | null;
  bytes: number | null;
}

export interface StorageFacts {
  driver: string;
  collections: { name: string; rows: number }[];
  quota: number | null;
  usage: number | null;
  is_persisted: boolean | null;
  problem: string | null;
}
