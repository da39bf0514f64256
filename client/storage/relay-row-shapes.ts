/** The schemas of the rows of the relay: what a device carries for others, and what it hands over itself. */
import { Type, type Static } from 'typebox';
import { Closed, Uuid } from '../../shared/schema/fields.ts';
import type { Problem } from '../../shared/protocol/problem.ts';

const JsonObject = Type.Object({}, { additionalProperties: true });
const Seq = Type.Integer({ minimum: 0 });

/** A sealed message that this device carries for another one, in rows of its own: the message, its parts, its answer. */
export const CarriedBody = Type.Union([
  Closed({
    kind: Type.Literal('message'),
    state: Type.Enum(['receiving', 'held', 'answered', 'refused']),
    /** The length of the sealed request. */
    total: Type.Integer(),
    /** How many bytes are stored: of the request, or of its answer once that is here. */
    have: Type.Integer(),
    /** When its last bytes came from its device, by this device's clock. */
    taken_at: Type.String(),
    /** True if it was read from a screen, to which no answer gets back. */
    by_code: Type.Optional(Type.Boolean()),
    /** True if its age counts from when it was first found old. */
    dated_anew: Type.Optional(Type.Boolean()),
    /** True if it goes for another one where there is no room for both, although it was not delivered. */
    gives_way: Type.Optional(Type.Boolean()),
  }),
  /** A part of the sealed request, as base64url. The row's id has its offset. */
  Closed({ kind: Type.Literal('part'), bytes: Type.String() }),
  /** The whole sealed answer, as base64url, and the receipt that came beside it. */
  Closed({ kind: Type.Literal('answer'), bytes: Type.String(), receipt: Type.Optional(Type.String()) }),
]);
export type CarriedBody = Static<typeof CarriedBody>;

const SealedPush = Closed({
  kind: Type.Literal('push'),
  client_id: Uuid,
  seqs: Type.Array(Seq),
  /** True if the mutations were made under another client id. */
  forwarded: Type.Boolean(),
  /** True if no own mutation went before these in the same hand-over. */
  first: Type.Boolean(),
  /** The recordings among the mutations. */
  sessions: Type.Array(Type.String()),
});
const SealedPull = Closed({ kind: Type.Literal('pull'), path: Type.String() });

/** The rows of a device that hands over: the server's keys, sealed requests, their answers, and who has what. */
export const HandOverBody = Type.Union([
  /** The server's public keys, as base64url. */
  Closed({
    kind: Type.Literal('keys'),
    list: Type.String(),
    /** When the device last asked the server for them, by its own clock; empty if it never did. */
    asked_at: Type.String(),
    /** When the server told them, by its clock. Absent if a pairing brought them. */
    server_at: Type.Optional(Type.String()),
  }),
  Closed({
    kind: Type.Literal('message'),
    /** The number of the hand-over, and the place of the message in it. */
    hand_over: Type.Integer(),
    place: Type.Integer(),
    /** Tells hand-overs of other content apart. */
    fingerprint: Type.String(),
    total: Type.Integer(),
    /** Names the token inside, which a later pairing replaces. */
    sealed_for: Type.String(),
    /** The epoch of the server at the sealing, as far as a pull has told it: a restored server has another. */
    epoch: Type.Optional(Type.String()),
    /** The device's client id and sent number after the sealing. */
    client_id: Uuid,
    offered_seq: Seq,
    request: Type.Union([SealedPush, SealedPull]),
    /** The secret that opens the answer, as base64url. */
    aead: Type.Integer(),
    ephemeral: Type.String(),
    secret: Type.String(),
    /** The key of the receipt, as base64url. */
    receipt_secret: Type.String(),
  }),
  /** The sealed request, as base64url. Only the newest hand-over has them. */
  Closed({ kind: Type.Literal('request'), bytes: Type.String() }),
  /** The first bytes of a sealed answer, as one carrier gave them. The row's id names both, and the offset. */
  Closed({ kind: Type.Literal('answer_part'), total: Type.Integer(), bytes: Type.String() }),
  /** The opened answer to a pull or a request for runs, which the device applies when it has all answers that it needs. */
  Closed({
    kind: Type.Literal('page'),
    path: Type.String(),
    status: Type.Integer(),
    content_type: Type.String(),
    date: Type.String(),
    text: Type.String(),
    /** The `Gemba-Next-Cursor` of an answer that has another page. */
    next: Type.Optional(Type.String()),
  }),
  /** The messages that a carrier has whole, and since when, with the recordings in them. The row's id names it. */
  Closed({
    kind: Type.Literal('handed'),
    messages: Type.Array(Closed({ id: Type.String(), at: Type.String(), sessions: Type.Array(Type.String()) })),
  }),
  /** Why the server refused what was handed over, if only a person can help. */
  Closed({ kind: Type.Literal('refusal'), problem: Type.Unsafe<Problem>(JsonObject) }),
  /** The client id of which the server lacked numbers, and whether a pull was applied since. */
  Closed({ kind: Type.Literal('gap'), client_id: Uuid, pulled: Type.Boolean() }),
  /** The receipts that a person typed for a message, until one was right. The row's id names the message. */
  Closed({
    kind: Type.Literal('receipt'),
    wrong_tries: Type.Integer(),
    outcome: Type.Enum(['none', 'arrived', 'attention']),
    /** The epoch of its message. */
    epoch: Type.Optional(Type.String()),
    /** When it was typed, by this device's clock. */
    at: Type.String(),
    sessions: Type.Array(Type.String()),
  }),
  /** The number of the newest hand-over, also when all its answers are here. */
  Closed({ kind: Type.Literal('latest'), hand_over: Type.Integer() }),
]);
export type HandOverBody = Static<typeof HandOverBody>;
