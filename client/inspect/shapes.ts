/**
 * The shapes of an inspector's results. Times are ISO 8601 by the device's clock, durations are milliseconds, sizes are
 * bytes, and null means unknown to the device.
 */
import type { Custody } from '../recording/custody.ts';
import type { JournalState } from '../storage/journal/journal.ts';
import type { Status } from '../sync/tabs/status.ts';

/** A JSON object whose fields the inspector does not interpret. */
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

/** A part of a snapshot that can be read on its own. */
export type SnapshotPart = Exclude<keyof DeviceSnapshot, 'taken_at'>;

/** A snapshot that has only these parts. */
export type Snapshot<Part extends SnapshotPart> = Pick<DeviceSnapshot, Part | 'taken_at'>;

export interface EngineFacts {
  version: string;
  protocol: number;
  /** The version of the stored rows of the outbox and the drafts. */
  rows_version: number;
  kind: string;
  /** The origin of the server's address. */
  server: string;
  database: string;
  device_id: string;
  client_id: string;
  account_id: string | null;
  /** True if the device has a token. The token itself is never read. */
  has_token: boolean;
  /** The highest sequence number of a mutation under the client id. */
  last_seq: number;
  /** The highest sequence number of a mutation that was sent or was about to be sent. */
  sent_seq: number | null;
  /** The highest sequence number of a mutation that a pull has proven to be on the server. */
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

/**
 * `forwarded`: the mutation waits under an earlier client id of the device. `receipt`: the server has the recording,
 * and the device keeps a copy in case the server loses it.
 */
export type MutationState = 'pending' | 'forwarded' | 'refused' | 'discarded' | 'receipt';

export interface OutboxFacts {
  counts: Record<MutationState, number>;
  /** At most 500 mutations: first the waiting ones, then the latest of each other state. */
  entries: OutboxItem[];
  left_out: number;
}

/** A mutation of the outbox. */
export interface OutboxItem {
  state: MutationState;
  client_id: string;
  /** The mutation's sequence number; null if the mutation was settled after it had moved to another client id. */
  seq: number | null;
  /** The kind of the mutation, such as `upload_recording`. */
  name: string;
  recorded_at: string;
  args: Json;
  /** True if the server gets only the mutation's sequence number, without the mutation's content. */
  is_noop: boolean;
  /**
   * How many traced requests sent the mutation. Null if the trace began after the mutation was made, or if the mutation
   * waits under an earlier client id.
   */
  attempts: number | null;
  /** The code of the last failure: the refusal, or the failure of the last traced request that sent the mutation. */
  last_failure: string | null;
  /** Why the mutation was refused, as a problem; null if the mutation was not refused. */
  error: Json | null;
  proven_at: string | null;
}

/** Counts the maps and runs as last pulled, and lists the records that pending mutations change. */
export interface BaseFacts {
  maps: number;
  runs: number;
  cursor: { cursor: string; epoch: string; complete: boolean; synced_at: string | null; partial: boolean } | null;
  /** The records that pending mutations create, change or delete. */
  pending: { kind: 'map' | 'run'; id: string }[];
}

/** A map or a run in a list to choose from. */
export interface NamedRecord {
  id: string;
  name: string;
  is_pending: boolean;
}

/** A record in two layers: as last pulled from the server, and with the pending mutations applied. */
export interface RecordLayers {
  kind: 'map' | 'run';
  id: string;
  base: Json | null;
  shown: Json | null;
  /** The names of the fields that differ between the two layers. */
  changed: string[];
  /** The pending mutations of the record. */
  pending: OutboxItem[];
}

export interface CustodyFacts {
  /** At most 200 recordings, the latest first. */
  recordings: RecordingCustody[];
  /** Counts the messages that this device carries for other devices; null if this device is no carrier. */
  carrying: { messages: number; bytes: number; oldest_at: string | null } | null;
  /** The messages that this device read from other devices' screens. */
  read_codes: { taken_at: string; delivered: boolean; refused: boolean }[];
  hand_over_problem: string | null;
}

export interface RecordingCustody {
  recording_session_id: string;
  map_id: string | null;
  recorded_at: string;
  /** `draft` until the recording is in the outbox, then the state of its mutation. */
  state: 'draft' | MutationState;
  custody: Custody;
  /** The carriers that have the recording; empty if this device does not hand over. */
  carriers: HandedOver[];
}

export interface HandedOver {
  at: string;
  proven: boolean;
}

export interface TraceFacts {
  is_on: boolean;
  /** When the trace began; null if it never began. */
  begun_at: string | null;
  /** False if another tab of this browser leads the sync. Only that tab can trace its requests. */
  leads: boolean;
  /** At most 50 rounds, the newest first. */
  rounds: SyncRound[];
}

/** A round of the sync, or the requests between two rounds. */
export interface SyncRound {
  at: string;
  /** The duration of the round; null while the round is running. */
  ms: number | null;
  /** The phase in which the round ended; `between` for requests outside of a round. */
  outcome: Status['phase'] | 'between';
  error: string | null;
  /** How many mutations waited when the round began, and when it ended. */
  waiting_before: number;
  waiting_after: number;
  /** How many maps and runs the round stored or removed on the device. */
  records_written: number;
  /** At most 40 requests. */
  requests: SyncRequest[];
  requests_left_out: number;
}

export interface SyncRequest {
  at: string;
  kind: 'push' | 'pull' | 'runs' | 'events' | 'photos' | 'other';
  method: string;
  /** The HTTP status; null if no response came. */
  status: number | null;
  /** The time until the response began; null while the device waits for the response. */
  ms: number | null;
  sent_bytes: number | null;
  /** The `Content-Length` of the response, if the server or the browser tells it. */
  received_bytes: number | null;
  error: string | null;
  by: 'network' | 'carrier';
  /** The client id whose mutations a push sent; null for other requests. */
  client_id: string | null;
  /**
   * For a push under the device's client id: the highest sequence number that was sent until then, in this push or
   * before it. Null for any other request.
   */
  sent_seq: number | null;
}

export interface JournalFacts {
  state: JournalState;
  /** How many rows the outbox and the drafts have. A journal that is `kept` has as many; 0 if there is no journal. */
  rows: number;
  /** When the journal was last written: the latest time of its files, or of a write that the inspector saw. */
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
