/**
 * The schemas of a device's rows of records, outbox and drafts; photos and the relay have files of their own. The types
 * of rows and the RxDB schemas derive from them. The engine imports only types from this file, which keeps the schema
 * library out of its bundle.
 */
import { Type, type Static } from 'typebox';
import { Closed, Instant, Nullable, RecordingSessionId, Uuid, WorkType } from '../../shared/schema/fields.ts';
import { MapDoc } from '../../shared/schema/map.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { StagesMode } from '../../shared/schema/recording.ts';
import { PhotoId } from '../../shared/schema/photos/photo.ts';
import { RunDoc } from '../../shared/schema/run.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { ClientProgress } from '../../shared/protocol/pull.ts';

const JsonObject = Type.Object({}, { additionalProperties: true });
const Seq = Type.Integer({ minimum: 0 });

const CursorBody = Closed({
  kind: Type.Literal('cursor'),
  cursor: Type.String(),
  /** The server's epoch at the last pull. If `DeviceBody.epoch` differs, the outbox must send everything again. */
  epoch: Type.String(),
  /** False until the first pull has reached its last page. */
  complete: Type.Boolean(),
  synced_at: Nullable(Instant),
  /** The version of the shape of the pulled documents; absent means 1. */
  doc_version: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Whether the server can answer a push with the effects of that push, so that no pull must bring them. */
  push_effects: Type.Optional(Type.Boolean()),
  /** The run scope of the device; absent if the device asks for all runs. */
  scope: Type.Optional(
    Closed({
      runs_max: Type.Optional(Type.Integer({ minimum: 1 })),
      runs_days: Type.Optional(Type.Integer({ minimum: 1 })),
      runs_per_map: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  /**
   * Whether the account had runs outside the scope at the first pull; absent if the server knows no scopes and sent all
   * runs.
   */
  partial: Type.Optional(Type.Boolean()),
});
export type CursorBody = Static<typeof CursorBody>;

/** A pulled map. `created_version` is absent if an older server sent the map. */
const CachedMap = Closed({ ...MapDoc.properties, created_version: Type.Optional(MapDoc.properties.created_version) });
export type CachedMap = Static<typeof CachedMap>;

/** A pulled record, as of the last pull: a cache that may be deleted and pulled again. */
export const RecordBody = Type.Union([
  Closed({ kind: Type.Literal('map'), doc: CachedMap }),
  Closed({ kind: Type.Literal('run'), doc: RunDoc }),
  Closed({ kind: Type.Literal('client'), doc: Type.Unsafe<ClientProgress>(JsonObject) }),
  CursorBody,
]);
export type RecordBody = Static<typeof RecordBody>;

const DeviceBody = Closed({
  kind: Type.Literal('device'),
  /** The client id under which the device numbers its mutations. */
  client_id: Uuid,
  /**
   * The earlier client ids with their last numbers: `client_id|last_seq`, separated by spaces, latest last. The
   * recovery compares them to tell whether the database or the journal is newer.
   */
  past_clients: Type.Optional(Type.String()),
  /** The highest sequence number of a mutation under this client id. */
  last_seq: Seq,
  /** The sent number: the highest number that was sent or is about to be sent; absent if there is none. */
  offered_seq: Type.Optional(Seq),
  /**
   * The highest sequence number that a pull has proven to be on the server, and the hash chain up to it: 0 and the
   * chain's start for a new client id. Both are absent only if the app that wrote the row kept no hash chain.
   */
  proven_seq: Type.Optional(Seq),
  proven_chain: Type.Optional(Type.String()),
  device_id: Uuid,
  token: Nullable(Type.String()),
  /** The account of the device; absent until the server has named it. */
  account_id: Type.Optional(Uuid),
  /** The server epoch that the outbox last synced with; null before the first pull. */
  epoch: Nullable(Type.String()),
  /**
   * True if this row was restored from the journal. The server may know higher sequence numbers, since the journal may
   * have been behind.
   */
  is_put_back: Type.Optional(Type.Boolean()),
});
export type DeviceBody = Static<typeof DeviceBody>;

/** `forgotten` means that the server has the mutation but no longer knows its outcome. */
export type ForwardedOutcome = 'done' | 'forgotten' | Problem;

export const MutationBody = Closed({
  kind: Type.Literal('mutation'),
  client_id: Uuid,
  /** The number in the sequence of the client id. A value below 1 is no number; it only sorts a settled mutation. */
  seq: Type.Integer(),
  /** The original client id and sequence number; absent if the mutation still has them. */
  origin: Type.Optional(Type.String()),
  name: Type.Unsafe<MutationName>(Type.String()),
  args: Type.Unsafe<Record<string, unknown>>(JsonObject),
  /** The version of the shape of `args`; absent means 1. */
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The original args and their version, if a newer version of the app has converted `args`. */
  made_as: Type.Optional(Closed({ version: Type.Integer({ minimum: 1 }), args: JsonObject })),
  recorded_at: Instant,
  /** The state in the outbox; `carried` is the stored word for forwarded. */
  state: Type.Enum(['pending', 'refused', 'receipt', 'discarded', 'carried']),
  error: Nullable(Type.Unsafe<Problem>(JsonObject)),
  /** The stored name of `proven_at`: when a pull last proved that the server has the recording. */
  acknowledged_at: Nullable(Instant),
  discarded_at: Type.Optional(Instant),
  /** The original recording session, if a remedy gave the recording a new one. */
  former_session: Type.Optional(Type.String()),
  /** True if a new mutation replaced this one. The server gets a noop under this sequence number. */
  is_void: Type.Optional(Type.Boolean()),
  /** Why the mutation is unsendable. A noop is sent under its sequence number, and the mutation counts as refused. */
  withdrawn: Type.Optional(Type.Unsafe<Problem>(JsonObject)),
  /**
   * The answer to a forwarded mutation, with the device's cursor at that time. Later pulls include the effects of the
   * mutation.
   */
  answer: Type.Optional(
    Closed({ cursor: Type.String(), outcome: Type.Unsafe<ForwardedOutcome>(Type.Union([Type.String(), JsonObject])) }),
  ),
  /** True if another device made the mutation, so that its times come from that device's clock. */
  is_foreign: Type.Optional(Type.Boolean()),
  /** True if the mutation got new record ids, because its original ids were taken by other records. */
  is_renewed: Type.Optional(Type.Boolean()),
  /**
   * The stored name of `forwardOrder`: the position among all forwarded mutations. They are pushed in this order,
   * since a mutation may depend on an earlier one, even of another client id.
   */
  place: Type.Optional(Type.Integer()),
});
export type MutationBody = Static<typeof MutationBody>;

/** The transfer mark of a mutation that this device exported or imported, and so must not import again. */
const TransferMarkBody = Closed({ kind: Type.Literal('moved'), at: Instant });

/** The rows of the outbox. They exist only on the device, so they are migrated and never dropped. */
export const OutboxBody = Type.Union([DeviceBody, MutationBody, TransferMarkBody]);
export type OutboxBody = Static<typeof OutboxBody>;

/** One moment, as read from the wall clock and the monotonic clock. */
const Stamp = Closed({ wall_ms: Type.Number(), monotonic_ms: Type.Number(), boot_id: Type.String() });

const StepIndex = Type.Integer({ minimum: 0 });

/** One tap of a recording under way. Taps are appended and never changed. */
export const TapBody = Type.Union([
  Closed({
    kind: Type.Literal('started'),
    at: Stamp,
    recording_session_id: RecordingSessionId,
    map_id: Uuid,
    /** The name of the map that the recording creates; null if it records an existing map. */
    new_map_name: Nullable(Type.String()),
    /** The session of the previous cycle, whose recording finished at this moment; absent if no cycle came before. */
    previous_session: Type.Optional(RecordingSessionId),
  }),
  Closed({
    kind: Type.Literal('stepped'),
    at: Stamp,
    stage_name: Type.String(),
    work_type: Nullable(WorkType),
    notes: Type.String(),
    /** True for an interruption, which is no stage of the process. */
    interruption: Type.Optional(Type.Literal(true)),
  }),
  Closed({ kind: Type.Literal('noted'), at: Stamp, text: Type.String() }),
  Closed({ kind: Type.Literal('undone'), at: Stamp }),
  /**
   * Changes the step that has the position `index` at that moment. A field that is absent stays as it is. The kinds
   * below use `index` in the same way.
   */
  Closed({
    kind: Type.Literal('edited'),
    at: Stamp,
    index: StepIndex,
    stage_name: Type.Optional(Type.String()),
    work_type: Type.Optional(WorkType),
    notes: Type.Optional(Type.String()),
  }),
  /** Splits the step after its first `after_ms`. The rest becomes a new step with the name `stage_name`. */
  Closed({
    kind: Type.Literal('split'),
    at: Stamp,
    index: StepIndex,
    after_ms: Type.Integer(),
    stage_name: Type.Optional(Type.String()),
  }),
  /** Joins the step with the next step. */
  Closed({ kind: Type.Literal('joined'), at: Stamp, index: StepIndex }),
  /** Moves the border between the step and the next step later by `by_ms`, or earlier if `by_ms` is negative. */
  Closed({ kind: Type.Literal('border_moved'), at: Stamp, index: StepIndex, by_ms: Type.Integer() }),
  /** Adds the photo to the step with the position `index` at that moment, or removes it from that step. */
  Closed({
    kind: Type.Enum(['photographed', 'photo_removed']),
    at: Stamp,
    index: StepIndex,
    photo: PhotoId,
  }),
  Closed({ kind: Type.Literal('paused'), at: Stamp }),
  Closed({ kind: Type.Literal('resumed'), at: Stamp }),
  Closed({
    kind: Type.Literal('discarded'),
    at: Stamp,
    /** True if an undo took back the start of this cycle. The recording cannot be restored. */
    returned: Type.Optional(Type.Literal(true)),
  }),
  Closed({ kind: Type.Literal('restored'), at: Stamp }),
  Closed({
    kind: Type.Literal('finished'),
    at: Stamp,
    /** Decides what happens to the map's stages; absent means 'replace'. */
    stages: Type.Optional(StagesMode),
    /** How long the finish can be undone before the upload, and the id that the run will have. */
    undo: Type.Optional(Closed({ ms: Type.Integer({ minimum: 1 }), run_id: RunDoc.properties.id })),
  }),
]);
export type TapBody = Static<typeof TapBody>;
export type StartedTap = Extract<TapBody, { kind: 'started' }>;
export type TapAfterStart = Exclude<TapBody, StartedTap>;
export type FinishedTap = Extract<TapBody, { kind: 'finished' }>;
export type SteppedTap = Extract<TapBody, { kind: 'stepped' }>;
