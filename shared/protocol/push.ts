/** `POST /sync/push`: a device's mutations in its order, each applied exactly once. */
import { Type, type Static } from 'typebox';
import { Closed, Instant, Uuid } from '../schema/fields.ts';
import { mutationsPerPushMax } from '../schema/limits.ts';
import type { Problem } from './problem.ts';

const Seq = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, description: 'an integer from 1' });

/** The envelope. A mutation is not held to a schema here: one that is broken is rejected by itself, never with its batch. */
export const PushRequest = Closed({
  client_id: Uuid,
  /** Whose work the device holds: a token of another account is refused. */
  account_id: Type.Optional(Uuid),
  /** The client is another's of this account, whose mutations the caller carries on. */
  carried: Type.Optional(Type.Boolean()),
  acked_seq: Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, description: 'an integer from 0' }),
  /**
   * The highest number that the device sent before. A server that is further has work that the device does not remember,
   * under numbers that it may be giving again: its database went back to an earlier state, or was copied.
   */
  offered_seq: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, description: 'an integer from 0' })),
  /** When this was sent, by the clock of the device: it tells how wrong that is. */
  sent_at: Type.Optional(Instant),
  /**
   * The device's hash chain before the first of `mutations` (chain.ts). Where the server's differs, a copy of the device gave
   * these numbers to other work, and the push is refused.
   */
  chain: Type.Optional(Type.String({ pattern: '^([0-9a-f]{32})?$', description: 'empty or 32 hexadecimal digits' })),
  mutations: Type.Array(Type.Unknown(), { maxItems: mutationsPerPushMax }),
});
export type PushRequest = Omit<Static<typeof PushRequest>, 'mutations'> & { mutations: PushedMutation[] };

export interface PushedMutation {
  seq: number;
  name?: unknown;
  args?: unknown;
  recorded_at?: unknown;
  version?: unknown;
  digest?: unknown;
}

/** What a well-formed mutation's own fields are; its `args` are held to `mutationArgs[name]`. */
export const MutationEnvelope = Closed({
  seq: Seq,
  name: Type.String(),
  args: Type.Object({}),
  recorded_at: Instant,
  /** Of the shape of `args`: what an older device kept is still taken. */
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'an integer from 1' })),
  /** The digest of the shape in which the mutation was made, where `args` were brought to a newer one since (chain.ts). */
  digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', description: '32 hexadecimal digits' })),
});

/** The ids of what a mutation touched or made: the identifying part of the REST endpoint's answer. */
export interface MutationResult {
  id?: string | number;
  version?: number;
  map_id?: string;
  order?: number;
  recording_session_id?: string;
  map?: { id: string; version: number };
  run?: { id: number; map_id: string; number: number };
}

export type MutationAnswer =
  { seq: number; status: 'applied'; result?: MutationResult } | { seq: number; status: 'rejected'; error: Problem };

export interface PushResponse {
  results: MutationAnswer[];
  /** The highest seq of this client that was consumed. */
  last_seq: number;
  cursor: string;
}
