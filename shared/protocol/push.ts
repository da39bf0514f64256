/** `POST /sync/push`: a device's mutations in their order, each applied exactly once. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, Uuid } from '../schema/fields.ts';
import { mutationsPerPushMax } from '../schema/limits.ts';
import type { Problem } from './problem.ts';

const Seq = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, expected: 'an integer from 1' });

/** The schema accepts any mutation, so that a broken one is rejected alone and not with its whole batch. */
export const PushRequest = Closed(
  {
    client_id: Described(Uuid, 'Names the device to the sync. It belongs to one device of one account for ever.'),
    account_id: Described(
      Type.Optional(Uuid),
      'The `account_id` that the first pull told: a token of another account is then refused.',
    ),
    carried: Described(
      Type.Optional(Type.Boolean()),
      'Whether the client is that of another device of the account, whose mutations are carried on here: its own before it had this token, or those of a device that it takes over from.',
    ),
    acked_seq: Described(
      Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, expected: 'an integer from 0' }),
      'Up to which mutation the answers have arrived: the server forgets those.',
    ),
    offered_seq: Described(
      Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, expected: 'an integer from 0' })),
      'The highest `seq` that the device sent before. A server that is further refuses the push: the device gave numbers again.',
    ),
    sent_at: Described(
      Type.Optional(Instant),
      "When this was sent, by the device's clock: where that is wrong by over a minute, the starts of its recordings are corrected.",
    ),
    chain: Described(
      Type.Optional(Type.String({ pattern: '^([0-9a-f]{32})?$', expected: 'empty or 32 hexadecimal digits' })),
      'The hash chain of the device before the first of `mutations`: `chain_0` is empty, `chain_n` = hash(`chain_(n-1)` + hash(JCS([name, version, args]))), where `hash` is the first 32 hexadecimal digits of SHA-256 and JCS is RFC 8785. Where the server has other work under these numbers, the push is refused with `sequence_reused`.',
    ),
    mutations: Described(
      Type.Array(Type.Unknown(), { maxItems: mutationsPerPushMax }),
      'From the oldest that has no answer yet. A broken one is rejected by itself, never with its batch.',
    ),
  },
  { title: 'PushRequest', description: "A device's mutations, in its order." },
);
export type PushRequest = Omit<Static<typeof PushRequest>, 'mutations'> & { mutations: PushedMutation[] };

export interface PushedMutation {
  seq: number;
  name?: unknown;
  args?: unknown;
  recorded_at?: unknown;
  version?: unknown;
  digest?: unknown;
}

/** The fields of a well-formed mutation. `mutationArgs[name]` is the schema of its `args`. */
export const MutationEnvelope = Closed({
  seq: Described(Seq, 'Counts the mutations of the client: 1, 2, 3... without gaps.'),
  name: Described(Type.String(), 'What is to be done.'),
  args: Described(Type.Object({}), "The endpoint's body plus its path parameters."),
  recorded_at: Described(Instant, 'When it happened on the device.'),
  version: Described(
    Type.Optional(Type.Integer({ minimum: 1, expected: 'an integer from 1' })),
    'Of the shape of `args`, counted from 1, which is the default. Older ones are still taken.',
  ),
  /** The digest of the mutation as it was made, if a newer app has converted its `args` since (chain.ts). */
  digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', expected: '32 hexadecimal digits' })),
});

/** The ids of the records that a mutation changed or made, as the REST endpoint answers them. */
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
  /** The highest seq of this client that the server has answered, applied or rejected. */
  last_seq: number;
  cursor: string;
}
