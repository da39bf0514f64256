/**
 * `GET /sync/pull`: the latest state of the records that changed after a cursor. If a pull brings a record twice, the
 * last state counts.
 */
import { Type, type Static } from 'typebox';
import { Closed, Described, IntegerId, Uuid } from '../schema/fields.ts';
import { pullLimitDefault, pullLimitMax } from '../schema/limits.ts';
import { MapDoc } from '../schema/map.ts';
import { ProblemBody } from '../schema/problem-body.ts';
import { RunDoc } from '../schema/run.ts';
import type { Problem } from './problem.ts';
import { pullableKinds } from './pullable-kinds.ts';
import { AnsweredSeq, HighestSeq, Version } from './response-fields.ts';
import { runScopeFields } from './run-scope.ts';

const kindPattern = pullableKinds.join('|');

/**
 * The query of a pull. Unknown parameters are allowed: a newer device may send a parameter that an older server does
 * not know, such as another scope.
 */
export const PullQuery = Type.Object({
  client_id: Described(
    Type.Optional(Uuid),
    "Adds the caller's own record `client`: which of its mutations are done, and which were refused.",
  ),
  account_id: Described(
    Type.Optional(Uuid),
    'The `account_id` that the first pull returned: a token of another account is then refused.',
  ),
  carried: Described(
    Type.Optional(Type.Boolean()),
    'True if `client_id` is not of the device itself: one that it had under an earlier token, or of another device whose mutations it forwards.',
  ),
  cursor: Described(
    Type.Optional(Type.String()),
    'The `cursor` of the previous response. Left out, the pull begins at the start.',
  ),
  limit: Described(
    Type.Optional(
      Type.Integer({ minimum: 1, maximum: pullLimitMax, expected: `an integer from 1 to ${pullLimitMax}` }),
    ),
    `How many changes a page may have. Default: ${pullLimitDefault}.`,
  ),
  kinds: Described(
    Type.Optional(
      Type.String({
        pattern: `^(${kindPattern})(,(${kindPattern}))*$`,
        expected: `a comma list of ${pullableKinds.join(' and ')}`,
      }),
    ),
    'Which kinds of records. Default: `map,run`. A pull from an empty cursor with a scope brings maps and runs.',
  ),
  ...runScopeFields,
});
export type PullQuery = Static<typeof PullQuery>;

/** The hash chain over a client's mutations (chain.ts); empty before the first mutation. */
const Chain = Type.String({ pattern: '^([0-9a-f]{32})?$' });

/** The server's progress with a client's mutations. Servers of earlier versions leave out `acked_seq` and `chain`. */
export const ClientProgress = Closed(
  {
    last_seq: Described(HighestSeq, 'The highest `seq` that was consumed.'),
    acked_seq: Described(
      Type.Optional(HighestSeq),
      'The highest `seq` whose answer the client has acknowledged. The server may forget the answers up to it.',
    ),
    chain: Described(
      Type.Optional(Chain),
      'The hash chain over the mutations up to `last_seq`: it proves whose work they are.',
    ),
    rejections: Described(
      Type.Array(Closed({ seq: AnsweredSeq, error: ProblemBody })),
      'The refused mutations whose answer the device has not acknowledged.',
    ),
  },
  { title: 'ClientProgress', description: "How far the server got with one client's mutations." },
);
export type ClientProgress = Omit<Static<typeof ClientProgress>, 'rejections'> & {
  rejections: { seq: number; error: Problem }[];
};

const kindMeaning = 'The kind of the record.';
const idMeaning = 'Its id.';
const docMeaning = 'The latest state of the record; absent if it was deleted for good.';
const changeFields = {
  version: Described(Version, "The account's version at which the record was last written."),
  deleted: Described(Type.Boolean(), 'Whether the record was deleted for good.'),
};

const MapChange = Closed(
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

const RunChange = Closed(
  {
    kind: Described(Type.Literal('run'), kindMeaning),
    id: Described(IntegerId, idMeaning),
    ...changeFields,
    doc: Described(Type.Optional(RunDoc), docMeaning),
  },
  { title: 'RunChange', description: 'A run with its steps.' },
);

const ClientChange = Closed(
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

export type RecordChange =
  | Static<typeof MapChange>
  | Static<typeof RunChange>
  | (Omit<Static<typeof ClientChange>, 'doc'> & { doc?: ClientProgress });

export const PullResponse = Closed(
  {
    changes: Described(Type.Array(Type.Union([MapChange, RunChange, ClientChange])), 'The changed records.'),
    cursor: Described(Type.String(), 'The cursor for the next page, or for the next pull.'),
    has_more: Described(
      Type.Boolean(),
      'Whether more changes follow now. After the page with `false`, the device has a consistent snapshot of the account.',
    ),
    epoch: Described(Type.String(), 'Changes when the store was restored from a backup: pull from the start then.'),
    account_id: Described(Uuid, 'The account of the records. A device stores it and sends it with later requests.'),
    push_effects: Described(
      Type.Optional(Type.Boolean()),
      'Whether this server takes the header `Gemba-Base` with a push. An earlier server leaves it out.',
    ),
    push_brief: Described(
      Type.Optional(Type.Boolean()),
      'Whether this server takes a push in the brief form. An earlier server leaves it out.',
    ),
    partial: Described(
      Type.Optional(Type.Boolean()),
      'With the last page of a first pull that has a scope: whether the account has runs outside of it. `GET /sync/runs` brings those.',
    ),
  },
  {
    title: 'PullAnswer',
    description:
      'A page of the records that changed after the cursor, in their latest state. With a scope a record may come twice; the last one counts.',
  },
);
export type PullResponse = Omit<Static<typeof PullResponse>, 'changes'> & { changes: RecordChange[] };
