import { Type, type TSchema } from 'typebox';
import {
  AppliedMutation,
  ClientChangeBody,
  ClientProgress,
  MapChangeBody,
  MutationResultBody,
  PullAnswer,
  PushAnswer,
  RejectedMutation,
  RunChangeBody,
} from '../../../shared/protocol/answers.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { MutationEnvelope, PushRequest } from '../../../shared/protocol/push.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import { mutationArgs, mutationNames } from '../../../shared/schema/mutation.ts';
import { answerSchema, requestSchema, type Component } from '../component.ts';
import { mutationComponents, mutationFields } from './mutations.ts';

const { seq, recorded_at, version, digest } = MutationEnvelope.properties;

/** The server takes any object with a `seq` and rejects it by itself; the document tells what is worth sending. */
const named = mutationNames.map((name) =>
  Closed({ seq, name: Type.Literal(name), args: mutationArgs[name], recorded_at, version }),
);

const noop = Closed({ seq, name: Type.Literal(noopName), args: Closed({}), recorded_at, digest });

const changeFields = {
  kind: 'What kind of record it is.',
  id: 'Its id.',
  version: "The account's version at which it was last written.",
  deleted: 'Whether it is gone for good.',
  doc: 'The record at its latest; absent when it is gone.',
};

export const syncComponents: Record<string, Component> = {
  PushRequest: requestSchema(PushRequest, {
    shown: Type.Object(
      { ...PushRequest.properties, mutations: Type.Array(Type.Union([...named, noop] as TSchema[])) },
      { additionalProperties: false },
    ),
    description: "A device's mutations, in its order.",
    fields: {
      client_id: 'Names the device to the sync. It belongs to one device of one account for ever.',
      account_id: 'The `account_id` that the first pull told: a token of another account is then refused.',
      carried:
        'Whether the client is that of another device of the account, whose mutations are carried on here: its own before it had this token, or those of a device that it takes over from.',
      offered_seq:
        'The highest `seq` that the device sent before. A server that is further refuses the push: the device gave numbers again.',
      chain:
        'The hash chain of the device before the first of `mutations`: `chain_0` is empty, `chain_n` = hash(`chain_(n-1)` + hash(JCS([name, version, args]))), where `hash` is the first 32 hexadecimal digits of SHA-256 and JCS is RFC 8785. Where the server has other work under these numbers, the push is refused with `sequence_reused`.',
      acked_seq: 'Up to which mutation the answers have arrived: the server forgets those.',
      sent_at:
        "When this was sent, by the device's clock: where that is wrong by over a minute, the starts of its recordings are corrected.",
      mutations: 'From the oldest that has no answer yet. A broken one is rejected by itself, never with its batch.',
    },
  }),

  ...Object.fromEntries(named.flatMap((schema, index) => mutationComponents(schema, mutationNames[index]!))),

  NoopMutation: {
    schema: noop,
    description: 'A number whose mutation the device withdrew. It is rejected with `withdrawn`, and used up.',
    fields: {
      ...mutationFields,
      args: 'Empty.',
      digest: 'The digest under which the number counts in `chain`, where that is not the one of this noop.',
    },
    closed: true,
  },

  PushAnswer: answerSchema(PushAnswer, {
    description: 'An answer to each mutation.',
    fields: {
      results: 'One a mutation, but for those that were acknowledged.',
      last_seq: 'The highest `seq` of this client that was consumed.',
      cursor: 'Where the account stands now.',
    },
  }),

  AppliedMutation: answerSchema(AppliedMutation, {
    description: 'A mutation that was applied.',
    fields: {
      seq: 'The mutation.',
      status: 'Always `applied`.',
      result: 'What it touched or made.',
    },
  }),

  RejectedMutation: answerSchema(RejectedMutation, {
    description: 'A mutation that was refused. Its `seq` is consumed and nothing was changed.',
    fields: { seq: 'The mutation.', status: 'Always `rejected`.', error: 'Why.' },
  }),

  MutationResult: answerSchema(MutationResultBody, {
    description: "The ids of what a mutation touched or made: the identifying part of the endpoint's answer.",
    fields: {
      id: 'The map, stage or run.',
      version: 'The version of the map.',
      map_id: 'The map of the stage or run.',
      order: 'The position of the stage.',
      recording_session_id: 'The recording.',
      map: 'The map that was recorded.',
      run: 'The run that was recorded.',
    },
  }),

  PullAnswer: answerSchema(PullAnswer, {
    description: 'A page of what changed after the cursor, each record once, at its latest.',
    fields: {
      changes: 'What changed.',
      cursor: 'Where to go on, also the next time.',
      has_more: 'Whether there is more now. A walk that ends with false ends on a consistent cut of the account.',
      account_id: 'Whose records these are. A device keeps it, and sends it along.',
      epoch: 'Changes when the store was restored from a backup: pull from the start then.',
    },
  }),

  MapChange: answerSchema(MapChangeBody, {
    description: 'A map with its stages. One in the recycle bin says so in its document.',
    fields: changeFields,
  }),
  RunChange: answerSchema(RunChangeBody, { description: 'A run with its steps.', fields: changeFields }),
  ClientChange: answerSchema(ClientChangeBody, {
    description: "How far the server got with the caller's mutations, in one stream with their effects.",
    fields: changeFields,
  }),
  ClientProgress: answerSchema(ClientProgress, {
    description: "How far the server got with one client's mutations.",
    fields: {
      last_seq: 'The highest `seq` that was consumed.',
      acked_seq: 'Up to here the answers were acknowledged, and are forgotten.',
      chain: 'The hash chain over the mutations up to `last_seq`: it proves whose work they are.',
      rejections: 'The refused mutations whose answer the device has not acknowledged.',
    },
  }),
};
