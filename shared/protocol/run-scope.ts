/**
 * The scope of a device, which says which runs a first pull brings. Later pulls bring every change, and the device
 * loads all other runs on demand.
 */
import { Type, type Static } from 'typebox';
import { Described } from '../schema/fields.ts';
import { scopeDaysMax, runsPerScopeMax } from '../schema/limits.ts';

const IntegerUpTo = (maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, expected: `an integer from 1 to ${maximum}` }));

export const runScopeFields = {
  runs_max: Described(
    IntegerUpTo(runsPerScopeMax),
    'A first pull brings only the newest runs of the account, at most this many. A later pull after which more runs changed is refused with the pointer `/cursor`.',
  ),
  runs_days: Described(IntegerUpTo(scopeDaysMax), 'A first pull brings only runs that arrived in the last days.'),
  runs_per_map: Described(
    IntegerUpTo(runsPerScopeMax),
    'A first pull brings only runs whose number is one of the last that their map gave.',
  ),
};
const RunScopeQuery = Type.Object(runScopeFields);
export type RunScopeQuery = Static<typeof RunScopeQuery>;
