/** Arbitrary valid values of the fields of mutations. */
import fc from 'fast-check';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { stepDurationSecsMax, stageTimeHrsMax } from '../../shared/schema/limits.ts';

/** Often draws another spelling of a name, so that stages match by name. */
export const anyName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Drill', ' drill', 'DRILL ', 'Weld', 'weld', 'Prüfen', 'PRÜFEN') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isName) },
);

export const anyInstant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

export const anyDuration = fc.oneof(fc.nat(3600), amountTo(stepDurationSecsMax));
export const anyHours = fc.oneof(fc.nat(40), amountTo(stageTimeHrsMax));

export const anyWorkType = fc.constantFrom('valuable' as const, 'incidental' as const, 'waste' as const);
const classification = { work_type: anyWorkType, value_add: fc.boolean() };

export const someStageFields = withOptionalFields({
  ...classification,
  cycle_time_hrs: anyHours,
  wait_time_hrs: anyHours,
});

const someStepFields = withOptionalFields({
  ...classification,
  duration_estimated: fc.boolean(),
  interruption: fc.nat(9).map((nth) => nth === 0),
  notes: fc.string({ maxLength: 5 }).map((text) => text.replaceAll('\0', '')),
  photos: fc.array(fc.constantFrom('photo:1', 'photo:2'), { maxLength: 2 }),
});

const anyStep: fc.Arbitrary<RecordingStep> = fc
  .tuple(
    fc.record({ stage_name: anyName, order: fc.integer({ min: 1, max: 60 }), duration_secs: anyDuration }),
    someStepFields,
  )
  .map(([required, optionals]) => ({ ...required, ...optionals }));

/** Steps in any order, with unique `order`s that may have gaps. */
export const anySteps = fc.uniqueArray(anyStep, { minLength: 1, maxLength: 8, selector: ({ order }) => order });

/** A record with any of the fields, none of them required. */
export function withOptionalFields<Fields>(fields: {
  [Name in keyof Fields]: fc.Arbitrary<Fields[Name]>;
}): fc.Arbitrary<Partial<Fields>> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<Fields>>;
}

/** Draws a number that JSON can represent: finite, and no negative zero. */
function amountTo(max: number): fc.Arbitrary<number> {
  return fc.double({ min: 0, max, noNaN: true }).map((amount) => amount + 0);
}

function isName(text: string): boolean {
  return (
    !/[\0\p{Surrogate}]/u.test(text) && /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u.test(text)
  );
}
