/** `GET /sync/runs`: whole runs that a device with a scope lacks, as they were at the device's cursor. */
import { Type, type Static } from 'typebox';
import { Closed, Described, IntegerId, Uuid } from '../schema/fields.ts';
import { runsPerLoadMax } from '../schema/limits.ts';
import { RunDoc } from '../schema/run.ts';

export const RunsQuery = Type.Object({
  account_id: Described(
    Type.Optional(Uuid),
    'The `account_id` that the first pull returned: a token of another account is then refused.',
  ),
  cursor: Described(Type.String(), 'The `cursor` of the last pull.'),
  ids: Described(
    Type.Optional(
      Type.String({
        pattern: `^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,${runsPerLoadMax - 1}}$`,
        expected: `a comma list of at most ${runsPerLoadMax} ids`,
      }),
    ),
    'The ids of the runs. Send either these or `map_id`.',
  ),
  map_id: Described(Type.Optional(Uuid), 'The map whose runs are wanted, the newest first.'),
  before: Described(
    Type.Optional(Type.Integer({ minimum: 1, expected: 'an integer from 1' })),
    'With `map_id`: only runs with a lower number.',
  ),
  limit: Described(
    Type.Optional(
      Type.Integer({ minimum: 1, maximum: runsPerLoadMax, expected: `an integer from 1 to ${runsPerLoadMax}` }),
    ),
    `With \`map_id\`: how many runs a page may have. Default: ${runsPerLoadMax}.`,
  ),
  page: Described(Type.Optional(Type.String()), 'The `Gemba-Next-Cursor` of the previous page.'),
});
export type RunsQuery = Static<typeof RunsQuery>;

export const RunsResponse = Closed(
  {
    runs: Described(Type.Array(RunDoc), 'The runs that did not change after the cursor.'),
    newer: Described(
      Type.Array(IntegerId),
      'The runs that changed after the cursor. The next pull by this cursor brings them.',
    ),
    epoch: Described(Type.String(), 'As in the answer to a pull: a device at another epoch pulls first.'),
  },
  { title: 'RunsAnswer', description: 'A page of runs, as they were at the cursor of the request.' },
);
export type RunsResponse = Static<typeof RunsResponse>;
