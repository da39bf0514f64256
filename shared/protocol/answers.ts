/** The schemas of the answers to push and pull and of the event stream; push.ts and pull.ts have their types. */
import { Type } from 'typebox';
import { Closed, Described, IntegerId, RecordingSessionId, Uuid } from '../schema/fields.ts';
import { MapDoc } from '../schema/map.ts';
import { ProblemBody } from '../schema/problem-body.ts';
import { RunDoc } from '../schema/run.ts';

const Version = Type.Integer({ minimum: 0 });
const Seq = Type.Integer({ minimum: 1 });
/** The hash chain over a client's mutations (chain.ts); empty before the first mutation. */
const Chain = Type.String({ pattern: '^([0-9a-f]{32})?$' });
const RunNumber = Type.Integer({ minimum: 1 });

export const MutationResultBody = Closed(
  {
    id: Described(Type.Optional(Type.Union([Uuid, IntegerId])), 'The map, stage or run.'),
    version: Described(Type.Optional(Version), 'The version of the map.'),
    map_id: Described(Type.Optional(Uuid), 'The map of the stage or run.'),
    order: Described(Type.Optional(Type.Integer({ minimum: 1 })), 'The position of the stage.'),
    recording_session_id: Described(Type.Optional(RecordingSessionId), 'The recording.'),
    map: Described(Type.Optional(Closed({ id: Uuid, version: Version })), 'The map that was recorded.'),
    run: Described(
      Type.Optional(Closed({ id: IntegerId, map_id: Uuid, number: RunNumber })),
      'The run that was recorded.',
    ),
  },
  {
    title: 'MutationResult',
    description: "The ids of what a mutation touched or made: the identifying part of the endpoint's answer.",
  },
);

export const AppliedMutation = Closed(
  {
    seq: Described(Seq, 'The mutation.'),
    status: Described(Type.Literal('applied'), 'Always `applied`.'),
    result: Described(Type.Optional(MutationResultBody), 'What it touched or made.'),
  },
  { title: 'AppliedMutation', description: 'A mutation that was applied.' },
);

export const RejectedMutation = Closed(
  {
    seq: Described(Seq, 'The mutation.'),
    status: Described(Type.Literal('rejected'), 'Always `rejected`.'),
    error: Described(ProblemBody, 'Why.'),
  },
  {
    title: 'RejectedMutation',
    description: 'A mutation that was refused. Its `seq` is consumed and nothing was changed.',
  },
);

export const PushAnswer = Closed(
  {
    results: Described(
      Type.Array(Type.Union([AppliedMutation, RejectedMutation])),
      'One a mutation, but for those that were acknowledged.',
    ),
    last_seq: Described(Version, 'The highest `seq` of this client that was consumed.'),
    cursor: Described(Type.String(), 'Where the account stands now.'),
  },
  { title: 'PushAnswer', description: 'An answer to each mutation.' },
);

export const ClientProgress = Closed(
  {
    last_seq: Described(Version, 'The highest `seq` that was consumed.'),
    acked_seq: Described(Type.Optional(Version), 'Up to here the answers were acknowledged, and are forgotten.'),
    chain: Described(
      Type.Optional(Chain),
      'The hash chain over the mutations up to `last_seq`: it proves whose work they are.',
    ),
    rejections: Described(
      Type.Array(Closed({ seq: Seq, error: ProblemBody })),
      'The refused mutations whose answer the device has not acknowledged.',
    ),
  },
  { title: 'ClientProgress', description: "How far the server got with one client's mutations." },
);

const kindMeaning = 'What kind of record it is.';
const idMeaning = 'Its id.';
const docMeaning = 'The record at its latest; absent when it is gone.';
const changeFields = {
  version: Described(Version, "The account's version at which it was last written."),
  deleted: Described(Type.Boolean(), 'Whether it is gone for good.'),
};

export const MapChangeBody = Closed(
  {
    kind: Described(Type.Literal('map'), kindMeaning),
    id: Described(Uuid, idMeaning),
    ...changeFields,
    doc: Described(Type.Optional(MapDoc), docMeaning),
  },
  {
    title: 'MapChange',
    description: 'A map with its stages. One in the recycle bin says so in its document.',
  },
);

export const RunChangeBody = Closed(
  {
    kind: Described(Type.Literal('run'), kindMeaning),
    id: Described(IntegerId, idMeaning),
    ...changeFields,
    doc: Described(Type.Optional(RunDoc), docMeaning),
  },
  { title: 'RunChange', description: 'A run with its steps.' },
);

export const ClientChangeBody = Closed(
  {
    kind: Described(Type.Literal('client'), kindMeaning),
    id: Described(Uuid, idMeaning),
    ...changeFields,
    doc: Described(Type.Optional(ClientProgress), docMeaning),
  },
  {
    title: 'ClientChange',
    description: "How far the server got with the caller's mutations, in one stream with their effects.",
  },
);

export const PullAnswer = Closed(
  {
    changes: Described(Type.Array(Type.Union([MapChangeBody, RunChangeBody, ClientChangeBody])), 'What changed.'),
    cursor: Described(Type.String(), 'Where to go on, also the next time.'),
    has_more: Described(
      Type.Boolean(),
      'Whether there is more now. A walk that ends with false ends on a consistent cut of the account.',
    ),
    epoch: Described(Type.String(), 'Changes when the store was restored from a backup: pull from the start then.'),
    account_id: Described(Uuid, 'Whose records these are. A device keeps it, and sends it along.'),
  },
  {
    title: 'PullAnswer',
    description: 'A page of what changed after the cursor, each record once, at its latest.',
  },
);
