/**
 * The schemas of the relay's rows: sealed messages that a carrier keeps for other devices, and what a device hands
 * over.
 */
import { Type, type Static } from 'typebox';
import { Closed, Uuid } from '../../shared/schema/fields.ts';
import type { Problem } from '../../shared/protocol/problem.ts';

const JsonObject = Type.Object({}, { additionalProperties: true });
const Seq = Type.Integer({ minimum: 0 });

/** The rows of sealed messages that this carrier keeps for other devices: messages, their parts, and their answers. */
export const CarriedBody = Type.Union([
  Closed({
    kind: Type.Literal('message'),
    state: Type.Enum(['receiving', 'held', 'answered', 'refused']),
    /** The length of the whole sealed request in bytes. */
    total: Type.Integer(),
    /** How many bytes of the request are stored; once `state` is 'answered', how many bytes of the answer. */
    have: Type.Integer(),
    /** When the carrier last received bytes of the request, by the carrier's clock. */
    taken_at: Type.String(),
    /** True if a camera read the request from a screen, so that the answer cannot go back the same way. */
    by_code: Type.Optional(Type.Boolean()),
    /**
     * True if the carrier once set `taken_at` to now, since the message was too old by a clock that may have been
     * wrong.
     */
    dated_anew: Type.Optional(Type.Boolean()),
    /** True if the message may be dropped before its delivery to make room for another message. */
    gives_way: Type.Optional(Type.Boolean()),
  }),
  /** A part of the sealed request, as base64url. The row's id has the offset of the part. */
  Closed({ kind: Type.Literal('part'), bytes: Type.String() }),
  /** The whole sealed answer, as base64url, and the receipt that the server sent with it. */
  Closed({ kind: Type.Literal('answer'), bytes: Type.String(), receipt: Type.Optional(Type.String()) }),
]);
export type CarriedBody = Static<typeof CarriedBody>;

const SealedPush = Closed({
  kind: Type.Literal('push'),
  client_id: Uuid,
  seqs: Type.Array(Seq),
  /** True if the mutations were made under another client id. */
  forwarded: Type.Boolean(),
  /** True for the first push of the device's own mutations in the hand-over. */
  first: Type.Boolean(),
  /** The recording sessions of the uploads among the mutations. */
  sessions: Type.Array(Type.String()),
});
const SealedPull = Closed({ kind: Type.Literal('pull'), path: Type.String() });

/**
 * The rows of a device that hands over: the server's keys, sealed requests and their answers, and which carrier has
 * which request.
 */
export const HandOverBody = Type.Union([
  /** The server's public keys, as base64url. */
  Closed({
    kind: Type.Literal('keys'),
    list: Type.String(),
    /** When the device last asked the server for its keys, by the device's clock; empty if it never did. */
    asked_at: Type.String(),
    /** When the server sent its keys, by the server's clock; absent if a pairing brought them. */
    server_at: Type.Optional(Type.String()),
  }),
  Closed({
    kind: Type.Literal('message'),
    /** The number of the hand-over, and the position of this message in the hand-over. */
    hand_over: Type.Integer(),
    place: Type.Integer(),
    /** A hash of all that the hand-over contains. A hand-over with equal content is not made again. */
    fingerprint: Type.String(),
    total: Type.Integer(),
    /** Identifies the token inside the sealed request. A later pairing replaces that token. */
    sealed_for: Type.String(),
    /** The server's epoch at the sealing; absent before the first pull. A restored server has another epoch. */
    epoch: Type.Optional(Type.String()),
    /** The device's client id and sent number at the end of the sealing. */
    client_id: Uuid,
    offered_seq: Seq,
    request: Type.Union([SealedPush, SealedPull]),
    /** The cipher, the ephemeral key and the secret that open the answer; the key and the secret as base64url. */
    aead: Type.Integer(),
    ephemeral: Type.String(),
    secret: Type.String(),
    /** The key of the receipt, as base64url. */
    receipt_secret: Type.String(),
  }),
  /** The sealed request, as base64url. Stored only for the newest hand-over. */
  Closed({ kind: Type.Literal('request'), bytes: Type.String() }),
  /** A part of a sealed answer, as one carrier gave it. The row's id names the message, the carrier and the offset. */
  Closed({ kind: Type.Literal('answer_part'), total: Type.Integer(), bytes: Type.String() }),
  /**
   * The opened answer to a pull or to a request for runs. The device applies it once it has all answers that it needs.
   */
  Closed({
    kind: Type.Literal('page'),
    path: Type.String(),
    status: Type.Integer(),
    content_type: Type.String(),
    date: Type.String(),
    text: Type.String(),
    /** The header `Gemba-Next-Cursor` of the answer; absent on the last page. */
    next: Type.Optional(Type.String()),
  }),
  /**
   * The messages that one carrier has received completely, each with the time and its recordings. The row's id names
   * the carrier.
   */
  Closed({
    kind: Type.Literal('handed'),
    messages: Type.Array(Closed({ id: Type.String(), at: Type.String(), sessions: Type.Array(Type.String()) })),
  }),
  /** The reason of a refusal that only a person can resolve. */
  Closed({ kind: Type.Literal('refusal'), problem: Type.Unsafe<Problem>(JsonObject) }),
  /**
   * Marks that the server refused a push of own or forwarded work, since the server lacked earlier sequence numbers. `client_id`
   * is the device's own client id at that time. `pulled` tells whether a pull was applied since.
   */
  Closed({ kind: Type.Literal('gap'), client_id: Uuid, pulled: Type.Boolean() }),
  /** Marks the newest answer to forwarded work: the answer's hand-over, and the server's time in the answer. */
  Closed({ kind: Type.Literal('answered'), hand_over: Type.Integer(), date: Type.String() }),
  /**
   * Counts the wrong receipts that a person typed for one message, and has the outcome that a right receipt showed. The
   * row's id names the message.
   */
  Closed({
    kind: Type.Literal('receipt'),
    wrong_tries: Type.Integer(),
    outcome: Type.Enum(['none', 'arrived', 'attention']),
    /** The server's epoch at the sealing of the message. */
    epoch: Type.Optional(Type.String()),
    /** When the receipt was typed, by this device's clock. */
    at: Type.String(),
    sessions: Type.Array(Type.String()),
  }),
  /** The number of the newest hand-over. The row stays after all answers to that hand-over have arrived. */
  Closed({ kind: Type.Literal('latest'), hand_over: Type.Integer() }),
]);
export type HandOverBody = Static<typeof HandOverBody>;
