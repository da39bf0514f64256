/**
 * The shapes of the rows of a device's three collections. They make both the types and what RxDB is told; the schema
 * library itself does not travel to the device, which imports nothing but types from here.
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
  /** False until the very first walk of pages came to its end. */
  complete: Type.Boolean(),
  synced_at: Nullable(Instant),
  /** The documents' shape, since devices keep those of earlier versions of the server; absent, 1. */
  doc_version: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type CursorBody = Static<typeof CursorBody>;

/** Absent in what was pulled before the server told it. */
const CachedMap = Closed({ ...MapDoc.properties, created_version: Type.Optional(MapDoc.properties.created_version) });
export type CachedMap = Static<typeof CachedMap>;

/** What the server holds, as it was last pulled: a cache that may be dropped and pulled again. */
export const RecordBody = Type.Union([
  Closed({ kind: Type.Literal('map'), doc: CachedMap }),
  Closed({ kind: Type.Literal('run'), doc: RunDoc }),
  Closed({ kind: Type.Literal('client'), doc: Type.Unsafe<ClientDoc>(Json) }),
  CursorBody,
]);
export type RecordBody = Static<typeof RecordBody>;

const DeviceBody = Closed({
  kind: Type.Literal('device'),
  /** Under which its mutations are numbered. */
  client_id: Uuid,
  /** Earlier client ids tell an old state from a newer one: `client_id|last_seq` each, the latest last, spaces between. */
  past_clients: Type.Optional(Type.String()),
  /** The highest seq given to a mutation. */
  last_seq: Seq,
  /** The highest seq that was ever sent; absent, none was. */
  offered_seq: Type.Optional(Seq),
  /** The highest seq that the pull proved to be this device's work, and the chain there; absent until a first proof. */
  proven_seq: Type.Optional(Seq),
  proven_chain: Type.Optional(Type.String()),
  device_id: Uuid,
  token: Nullable(Type.String()),
  /** Whose device it is; absent until the server told. */
  account_id: Type.Optional(Uuid),
  /** The server's epoch in which its mutations are numbered; null before the first pull. */
  epoch: Nullable(Type.String()),
  /** It comes from the second copy, which may have been behind: the server may know more of its numbers than it does. */
  is_put_back: Type.Optional(Type.Boolean()),
});
export type DeviceBody = Static<typeof DeviceBody>;

/** forgotten: the server has it, and no longer knows how that ended. */
export type CarriedOutcome = 'done' | 'forgotten' | Problem;

const MutationBody = Closed({
  kind: Type.Literal('mutation'),
  client_id: Uuid,
  /** Its place in the client's sequence; below 1 for what was refused in an earlier one. */
  seq: Type.Integer(),
  /** Client id and number under which it was made; absent, those that it has. */
  origin: Type.Optional(Type.String()),
  name: Type.Unsafe<MutationName>(Type.String()),
  args: Type.Unsafe<Record<string, unknown>>(Json),
  /** Of the shape of `args`; absent, 1. */
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The shape in which it was made, where a newer app brought `args` to its own. */
  made_as: Type.Optional(Closed({ version: Type.Integer({ minimum: 1 }), args: Json })),
  recorded_at: Instant,
  /**
   * pending: made here, not yet known to be done. refused: the server said no, a person must look.
   * receipt: a recording that the server has, kept in case it loses it. discarded: given up by a person, who may want
   * it back. carried: made under another client id, by another device or by this one (exported, another token, a database
   * that was lost or went back), and pushed under that id and number until the server has it.
   */
  state: Type.Enum(['pending', 'refused', 'receipt', 'discarded', 'carried']),
  error: Nullable(Type.Unsafe<Problem>(Json)),
  /** When the pull first showed a recording to be on the server; it stays when the recording is offered again. */
  acknowledged_at: Nullable(Instant),
  discarded_at: Type.Optional(Instant),
  /** The session that the worker was told of, where a remedy gave the recording another one. */
  former_session: Type.Optional(Type.String()),
  /** Its content was made again under another number: this one only fills the sequence. */
  is_void: Type.Optional(Type.Boolean()),
  /** Why its content cannot be sent: its number goes alone, and it is refused for this reason. */
  withdrawn: Type.Optional(Type.Unsafe<Problem>(Json)),
  /** The answer to its push while it is carried, and the cursor of the base then: a later base has its effects. */
  answer: Type.Optional(
    Closed({ cursor: Type.String(), outcome: Type.Unsafe<CarriedOutcome>(Type.Union([Type.String(), Json])) }),
  ),
  /** Another device made it, whose clock is not this one's. */
  is_foreign: Type.Optional(Type.Boolean()),
  /** It has a new id, since the first was taken. */
  is_renewed: Type.Optional(Type.Boolean()),
  /** Of what is carried: its place among the work of all other devices, which may hang together. */
  place: Type.Optional(Type.Integer()),
});
export type MutationBody = Static<typeof MutationBody>;

/** Work that was exported from here, or imported, and is not taken in again. */
const MovedBody = Closed({ kind: Type.Literal('moved'), at: Instant });

/** Who this device is, and the mutations that it still answers for. Never dropped. */
export const OutboxBody = Type.Union([DeviceBody, MutationBody, MovedBody]);
export type OutboxBody = Static<typeof OutboxBody>;

/** A moment as the device saw it: no clock alone is trusted. */
const Stamp = Closed({ wall_ms: Type.Number(), monotonic_ms: Type.Number(), boot_id: Type.String() });

/** One tap of a recording under way; appended, never changed. */
export const DraftBody = Type.Union([
  Closed({
    kind: Type.Literal('started'),
    at: Stamp,
    recording_session_id: RecordingSessionId,
    map_id: Uuid,
    /** The name of the map that the recording makes; null when it is of an existing one. */
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
/** What may follow the start. */
export type Tap = Exclude<DraftBody, StartedTap>;
export type SteppedTap = Extract<DraftBody, { kind: 'stepped' }>;
