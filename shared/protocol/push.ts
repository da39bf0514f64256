/** `POST /sync/push`: a device's mutations in their order, each applied exactly once. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, IntegerId, RecordingSessionId, Uuid } from '../schema/fields.ts';
import { mutationsPerPushMax } from '../schema/limits.ts';
import { ProblemBody } from '../schema/problem-body.ts';
import type { Problem } from './problem.ts';
import { AnsweredSeq, HighestSeq, Version } from './response-fields.ts';

const MutationSeq = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, expected: 'an integer from 1' });

/**
 * The body of a push. The schema accepts any mutation, so that the server rejects only the invalid ones and not the
 * whole batch.
 */
export const PushRequest = Closed(
  {
    client_id: Described(
      Uuid,
      'Names a sequence of mutations. Once it has used a number, it belongs for ever to one device, or to the API keys of one account.',
    ),
    account_id: Described(
      Type.Optional(Uuid),
      'The `account_id` that the first pull returned: a token of another account is then refused.',
    ),
    carried: Described(
      Type.Optional(Type.Boolean()),
      'True if this device forwards the mutations of another client id: of one that it had under an earlier token, or of another device.',
    ),
    acked_seq: Described(
      Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, expected: 'an integer from 0' }),
      'The highest `seq` up to which the client has stored all answers. The server forgets the rejections among them at once, and keeps the other answers of the last 1,000 numbers or more.',
    ),
    offered_seq: Described(
      Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, expected: 'an integer from 0' })),
      'The highest `seq` that the device sent before. A server that has a higher `seq` refuses the push, since the device must have used numbers twice.',
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
      'In the order of `seq`, from the first without an answer on. An invalid one is rejected by itself, never with its batch.',
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

/** The fields of a valid mutation. `mutationArgs[name]` is the schema of its `args`. */
export const MutationEnvelope = Closed({
  seq: Described(MutationSeq, 'Counts the mutations of the client: 1, 2, 3... without gaps.'),
  name: Described(Type.String(), 'The kind of the mutation, such as `create_map`.'),
  args: Described(Type.Object({}), "The endpoint's body plus its path parameters."),
  recorded_at: Described(Instant, "When the mutation was made, by the device's clock."),
  version: Described(
    Type.Optional(Type.Integer({ minimum: 1, expected: 'an integer from 1' })),
    'The version of the shape of `args`. Default: 1. Older versions are accepted.',
  ),
  /**
   * Sent if the server cannot compute the digest from `args`, because a newer version of the app converted the args or
   * the mutation is a noop.
   */
  digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', expected: '32 hexadecimal digits' })),
});

/** The ids of the records that a mutation changed or made. A REST endpoint returns the same ids in its response. */
export const MutationResult = Closed(
  {
    id: Described(Type.Optional(Type.Union([Uuid, IntegerId])), 'The map, stage or run.'),
    version: Described(Type.Optional(Version), 'The version of the map, or of the run that was changed.'),
    map_id: Described(Type.Optional(Uuid), 'The map of the stage or run.'),
    order: Described(Type.Optional(Type.Integer({ minimum: 1 })), 'The position of the stage.'),
    recording_session_id: Described(Type.Optional(RecordingSessionId), 'The recording.'),
    map: Described(Type.Optional(Closed({ id: Uuid, version: Version })), 'The map that was recorded.'),
    run: Described(
      Type.Optional(Closed({ id: IntegerId, map_id: Uuid, number: Type.Integer({ minimum: 1 }) })),
      'The run that was recorded.',
    ),
  },
  {
    title: 'MutationResult',
    description: "The ids of what a mutation touched or made: the identifying part of the endpoint's answer.",
  },
);

export type MutationResult = Static<typeof MutationResult>;

const AppliedMutation = Closed(
  {
    seq: Described(AnsweredSeq, 'The number of the mutation.'),
    status: Described(Type.Literal('applied'), 'Always `applied`.'),
    result: Described(Type.Optional(MutationResult), 'The ids of the records that the mutation changed or made.'),
  },
  { title: 'AppliedMutation', description: 'A mutation that was applied.' },
);

const RejectedMutation = Closed(
  {
    seq: Described(AnsweredSeq, 'The number of the mutation.'),
    status: Described(Type.Literal('rejected'), 'Always `rejected`.'),
    error: Described(ProblemBody, 'Why the mutation was refused.'),
  },
  {
    title: 'RejectedMutation',
    description: 'A mutation that was refused. Its `seq` is consumed and nothing was changed.',
  },
);

/**
 * The answer to one mutation. The schema leaves out the extra members of some problems, but the type `Problem` has
 * them.
 */
export type MutationAnswer =
  | Static<typeof AppliedMutation>
  | (Omit<Static<typeof RejectedMutation>, 'error'> & { error: Problem });

export const PushEffects = Closed(
  {
    after: Described(Version, "The account's version before this push, which is that of the cursor in `Gemba-Base`."),
    at: Described(Instant, "The server's time of the push: `created_at` and `updated_at` of what it wrote."),
    clock_behind_ms: Described(
      Type.Optional(Type.Integer()),
      "How far the device's clock is behind, in milliseconds, where `started_at` was corrected by it.",
    ),
    acked_seq: Described(
      HighestSeq,
      'Up to here the answers were acknowledged: their rejections are forgotten, and the last 1,000 of the others are kept.',
    ),
    chain: Described(Type.String({ pattern: '^[0-9a-f]{32}$' }), 'The hash chain over the mutations up to `last_seq`.'),
    digest: Described(
      Type.String({ pattern: '^[0-9a-f]{32}$' }),
      'The first 32 hexadecimal digits of the SHA-256 of the changes in the RFC 8785 form, in the order of their versions.',
    ),
  },
  {
    title: 'PushEffects',
    description: 'What the device needs to compute what its push changed, and a digest to check it by.',
  },
);
export type PushEffects = Static<typeof PushEffects>;

export const PushResponse = Closed(
  {
    results: Described(
      Type.Array(Type.Union([AppliedMutation, RejectedMutation])),
      'One answer for each mutation, except acknowledged ones.',
    ),
    last_seq: Described(HighestSeq, 'The highest `seq` of this client that was consumed.'),
    cursor: Described(
      Type.String(),
      'How far the account is now. Never pull from it, unless `effects` came and were checked: it is beyond changes that the device has not pulled.',
    ),
    effects: Described(
      Type.Optional(PushEffects),
      'Only where the push had the header `Gemba-Base` with the cursor of the present state, and was new as a whole. The `results` then have no `result`.',
    ),
  },
  { title: 'PushAnswer', description: 'The answers to the mutations that were not acknowledged.' },
);
export type PushResponse = Omit<Static<typeof PushResponse>, 'results'> & { results: MutationAnswer[] };
