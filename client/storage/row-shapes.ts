/**
 * The shapes of the rows of a device's three collections. The types and RxDB's schemas are made from them. The engine imports
 * only types from here, so that the schema library stays out of its bundle.
 */
import { Type, type Static } from 'typebox';
import { Closed, Instant, Nullable, RecordingSessionId, Uuid, WorkType } from '../../shared/schema/fields.ts';
import { MapDoc } from '../../shared/schema/map.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { RunDoc } from '../../shared/schema/run.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { ClientDoc } from '../../shared/protocol/pull.ts';

const Json = Type.Object({}, { additionalProperties: true });
const Seq = Type.Integer({ minimum: 0 });

const CursorBody = Closed({
  kind: Type.Literal('cursor'),
  cursor: Type.String(),
  epoch: Type.String(),
  /** False until the first pull reached its last page. */
  complete: Type.Boolean(),
  synced_at: Nullable(Instant),
  /** The version of the documents' shape, since devices keep documents of earlier servers; absent, 1. */
  doc_version: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type CursorBody = Static<typeof CursorBody>;

/** `created_version` is absent in maps that an earlier server sent. */
const CachedMap = Closed({ ...MapDoc.properties, created_version: Type.Optional(MapDoc.properties.created_version) });
export type CachedMap = Static<typeof CachedMap>;

/** A record as it was last pulled: a cache that may be dropped and pulled again. */
export const RecordBody = Type.Union([
  Closed({ kind: Type.Literal('map'), doc: CachedMap }),
  Closed({ kind: Type.Literal('run'), doc: RunDoc }),
  Closed({ kind: Type.Literal('client'), doc: Type.Unsafe<ClientDoc>(Json) }),
  CursorBody,
]);
export type RecordBody = Static<typeof RecordBody>;

const DeviceBody = Closed({
  kind: Type.Literal('device'),
  /** The client id under which the device numbers its mutations. */
  client_id: Uuid,
  /** Earlier client ids tell an old state from a newer one: `client_id|last_seq` each, the latest last, spaces between. */
  past_clients: Type.Optional(Type.String()),
  /** The highest seq given to a mutation. */
  last_seq: Seq,
  /** The highest seq that was sent, or about to be; absent, none was. */
  offered_seq: Type.Optional(Seq),
  /** The highest seq that the pull proved to be this device's work, and the chain there; absent until a first proof. */
  proven_seq: Type.Optional(Seq),
  proven_chain: Type.Optional(Type.String()),
  device_id: Uuid,
  token: Nullable(Type.String()),
  /** The account of the device; absent until the server told it. */
  account_id: Type.Optional(Uuid),
  /** The server's epoch in which its mutations are numbered; null before the first pull. */
  epoch: Nullable(Type.String()),
  /** The row comes from the journal, which may have been behind: the server may know higher numbers. */
  is_put_back: Type.Optional(Type.Boolean()),
});
export type DeviceBody = Static<typeof DeviceBody>;

/** forgotten: the server has the mutation, and no longer knows its outcome. */
export type CarriedOutcome = 'done' | 'forgotten' | Problem;

const MutationBody = Closed({
  kind: Type.Literal('mutation'),
  client_id: Uuid,
  /** The number in the client's sequence; below 1 for a mutation that was refused in an earlier sequence. */
  seq: Type.Integer(),
  /** The client id and number under which it was made; absent, the present ones. */
  origin: Type.Optional(Type.String()),
  name: Type.Unsafe<MutationName>(Type.String()),
  args: Type.Unsafe<Record<string, unknown>>(Json),
  /** The version of the shape of `args`; absent, 1. */
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The shape in which it was made, where a newer app brought `args` to its own. */
  made_as: Type.Optional(Closed({ version: Type.Integer({ minimum: 1 }), args: Json })),
  recorded_at: Instant,
  /** ARCHITECTURE.md draws these states; `carried` is the stored word for forwarded. */
  state: Type.Enum(['pending', 'refused', 'receipt', 'discarded', 'carried']),
  error: Nullable(Type.Unsafe<Problem>(Json)),
  /** The time at which a pull first showed the recording on the server; kept when the recording is sent again. */
  acknowledged_at: Nullable(Instant),
  discarded_at: Type.Optional(Instant),
  /** The first recording session, where a remedy gave the recording another one. */
  former_session: Type.Optional(Type.String()),
  /** Its content was made again under another number: this one only fills the sequence. */
  is_void: Type.Optional(Type.Boolean()),
  /** Why its content cannot be sent: its number goes alone, and it is refused for this reason. */
  withdrawn: Type.Optional(Type.Unsafe<Problem>(Json)),
  /** The answer to a forwarded mutation, and the cursor of the base then: a later base has its effects. */
  answer: Type.Optional(
    Closed({ cursor: Type.String(), outcome: Type.Unsafe<CarriedOutcome>(Type.Union([Type.String(), Json])) }),
  ),
  /** Another device made the mutation, by its own clock. */
  is_foreign: Type.Optional(Type.Boolean()),
  /** The mutation has new ids, since the first were taken. */
  is_renewed: Type.Optional(Type.Boolean()),
  /** The order of a forwarded mutation among those of all other clients, which may depend on each other. */
  place: Type.Optional(Type.Integer()),
});
export type MutationBody = Static<typeof MutationBody>;

/** Marks work that was exported or imported, so that it is not imported again. */
const MovedBody = Closed({ kind: Type.Literal('moved'), at: Instant });

/** The device, and the mutations that it answers for. These rows are never dropped. */
export const OutboxBody = Type.Union([DeviceBody, MutationBody, MovedBody]);
export type OutboxBody = Static<typeof OutboxBody>;

/** A moment by all clocks of the device, since none is trusted alone. */
const Stamp = Closed({ wall_ms: Type.Number(), monotonic_ms: Type.Number(), boot_id: Type.String() });

/** One tap of a recording under way; appended, never changed. */
export const DraftBody = Type.Union([
  Closed({
    kind: Type.Literal('started'),
    at: Stamp,
    recording_session_id: RecordingSessionId,
    map_id: Uuid,
    /** The name of the map that the recording makes; null for an existing map. */
    new_map_name: Nullable(Type.String()),
  }),
  Closed({
    kind: Type.Literal('stepped'),
    at: Stamp,
    stage_name: Type.String(),
    work_type: Nullable(WorkType),
    notes: Type.String(),
  }),
  Closed({ kind: Type.Literal('noted'), at: Stamp, text: Type.String() }),
  Closed({ kind: Type.Literal('undone'), at: Stamp }),
  Closed({ kind: Type.Literal('discarded'), at: Stamp }),
  Closed({ kind: Type.Literal('restored'), at: Stamp }),
  Closed({ kind: Type.Literal('finished'), at: Stamp }),
]);
export type DraftBody = Static<typeof DraftBody>;
export type StartedTap = Extract<DraftBody, { kind: 'started' }>;
/** A tap after the start. */
export type Tap = Exclude<DraftBody, StartedTap>;
export type SteppedTap = Extract<DraftBody, { kind: 'stepped' }>;
