/** The brief form of pushes and of their answers. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBriefAnswer, restoreAnswer } from '../../shared/brief/brief-answer.ts';
import {
  toBriefPush,
  checkedTextOf,
  pushCheckOf,
  restorePush,
  type PushWithHeaders,
} from '../../shared/brief/brief-push.ts';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { PushResponse } from '../../shared/protocol/push.ts';
import { checkProperty } from '../domain/check-property.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const digestOf = (steps: unknown): string => sha256(canonicalJson(steps));
const checkFor = (push: PushWithHeaders): string => pushCheckOf(sha256(checkedTextOf(push)));
const briefOf = (push: PushWithHeaders) => toBriefPush(push, { check: checkFor(push), digestOf });

const account_id = '0199b4a1-6f8e-7c3a-9d2b-4e5f60718293';
const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
const id = fc.integer({ min: 2 ** 31, max: 2 ** 50 });
const time = fc.integer({ min: 0, max: 4e12 }).map((ms) => new Date(ms).toISOString());
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
/** Leaves out the fields that are undefined, as JSON does. */
const json = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const step = (order: number, fields: object) => ({
  stage_name: `Stage ${order}`,
  order,
  duration_secs: 1.5,
  ...fields,
});

const stepFields = fc.record({
  stage_name: fc.oneof(fc.constant('Cut'), fc.constant('a|b'), fc.string({ minLength: 1, maxLength: 9 })),
  duration_secs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  duration_estimated: optional(fc.boolean()),
  work_type: optional(fc.constantFrom('valuable', 'incidental', 'waste')),
  value_add: optional(fc.boolean()),
  interruption: optional(fc.boolean()),
  notes: optional(fc.oneof(fc.constant(''), fc.constant('1|2'), fc.string())),
  photos: optional(fc.array(fc.string(), { maxLength: 2 })),
});

const recording = fc
  .record({
    map_id: fc.uuid(),
    recording_session_id: fc.oneof(fc.uuid(), fc.constant('session:1')),
    started_at: optional(time),
    steps: fc.array(stepFields, { minLength: 1, maxLength: 5 }),
    gaps: fc.boolean(),
    hasDigest: fc.boolean(),
    run_id: id,
    first: id,
    follows: fc.boolean(),
    stages: optional(fc.constantFrom('keep', 'merge')),
    recorded_at: time,
  })
  .map(({ steps, gaps, hasDigest, first, follows, recorded_at, ...fields }) => {
    const numbered = json(steps.map((fieldsOfStep, index) => step(gaps ? index * 2 : index + 1, fieldsOfStep)));
    const stage_ids = numbered.map((_, index) => (follows ? first + index : first - 7 * index));
    const digest = hasDigest ? { digest: digestOf(numbered) } : {};
    return { recorded_at, args: json({ ...fields, steps: numbered, stage_ids, ...digest }) };
  });

const push = fc
  .record({
    cursor: fc.constantFrom('MTAwMA', 'MQ'),
    kinds: fc.constantFrom(['map', 'run'] as const, ['map'] as const),
    client_id: fc.uuid(),
    acked_seq: fc.nat(),
    offered_seq: fc.nat(),
    sent_at: time,
    chain: fc.oneof(fc.constant(''), hash),
    seq: fc.integer({ min: 1, max: 1_000 }),
    recordings: fc.array(recording, { minLength: 1, maxLength: 4 }),
  })
  .map(({ cursor, kinds, seq, recordings, ...fields }): PushWithHeaders => {
    const mutations = recordings.map((made, index) => ({ seq: seq + index, name: 'upload_recording', ...made }));
    return { protocol: 1, base: { cursor, kinds }, request: { account_id, ...fields, mutations } };
  });

test('[BRIEF-1] a push of recordings is the same after its brief form, whatever the recordings hold', () => {
  checkProperty(
    fc.property(push, (whole) => {
      const brief = briefOf(whole);
      expect(brief).toBeDefined();
      const read = restorePush(json(brief), { accountId: account_id, digestOf })!;
      expect(canonicalJson(read.push.request)).toBe(canonicalJson(whole.request));
      expect(read.push.base).toEqual(whole.base);
      expect(checkFor(read.push)).toBe(read.check);
    }),
  );
});

const [plain] = fc.sample(push, { numRuns: 1, seed: 1 }) as [PushWithHeaders];
const withArgs = (args: object): PushWithHeaders => {
  const mutations = [
    { ...plain.request.mutations[0]!, args: { ...(plain.request.mutations[0]!.args as object), ...args } },
  ];
  return { ...plain, request: { ...plain.request, mutations } };
};
const withFields = (fields: object): PushWithHeaders => ({ ...plain, request: { ...plain.request, ...fields } });

test.each([
  ['another mutation', withFields({ mutations: [{ seq: 1, name: 'delete_run', args: { run_id: 1 } }] })],
  ['no mutation', withFields({ mutations: [] })],
  ['work of another device', withFields({ carried: true })],
  ['no time of sending', withFields({ sent_at: undefined })],
  ['a digest that is not that of the steps', withArgs({ digest: sha256('other') })],
  ['an unknown field', withArgs({ weather: 'rain' })],
  ['an unknown field of a step', withArgs({ steps: [step(1, { weather: 'rain' })], digest: undefined })],
  ['a session that looks like a short id', withArgs({ recording_session_id: 'a'.repeat(22) })],
  ['a time with more digits', withArgs({ started_at: '2026-04-01T09:30:00.0001Z' })],
])('[BRIEF-5] a push with %s has no brief form', (_, whole) => {
  expect(briefOf(plain)).toBeDefined();
  expect(briefOf(json(whole))).toBeUndefined();
});

test('[BRIEF-2] lists that no device makes are no push, and hurt nobody', () => {
  const brief = json(briefOf(plain)) as unknown[];
  const readAs = (list: unknown) => restorePush(list, { accountId: account_id, digestOf });
  expect(readAs(brief)).toBeDefined();
  for (const list of [{}, [], 'brief', brief.slice(0, 10), [...brief, 7], [...brief, [0]]]) {
    expect(readAs(list)).toBeUndefined();
  }
  for (const index of brief.keys()) {
    for (const value of [{}, [{}], JSON.parse('1e400'), null, [], -1, 'x'.repeat(100), [[[[]]]]]) {
      const read = readAs(brief.with(index, value));
      if (read) expect(checkFor(read.push)).not.toBe(read.check);
    }
  }
});

test('[BRIEF-2] a column cannot repeat a long text for each step', () => {
  const recordingOf = (notes: string) => [0, account_id, account_id, '', 1, 1, 'a|b|c', 1, [1.5], 0, 0, 0, 0, [notes]];
  const readWith = (notes: string) =>
    restorePush([...(briefOf(plain) as unknown[]).slice(0, 10), recordingOf(notes)], {
      accountId: account_id,
      digestOf,
    });
  expect(readWith('short')?.push.request.mutations).toHaveLength(1);
  expect(readWith('a note that is long')).toBeUndefined();
});

const answerTo = ({ request }: PushWithHeaders): PushResponse => ({
  results: request.mutations.map(({ seq }) => ({ seq, status: 'applied' })),
  last_seq: request.mutations.at(-1)!.seq,
  cursor: 'MTAwMQ',
  effects: {
    after: 1000,
    at: '2026-11-23T09:30:00.412Z',
    acked_seq: request.acked_seq,
    chain: '0f9a'.repeat(8),
    digest: '5c1e'.repeat(8),
  },
});

test('[BRIEF-3] an answer whose recordings were all applied is the same after its brief form', () => {
  const answer = answerTo(plain);
  const brief = toBriefAnswer(answer, plain.request)!;
  expect(JSON.stringify(brief).length).toBeLessThan(70);
  expect(restoreAnswer(json(brief), { request: plain.request, chain: '0f9a'.repeat(8) })).toEqual(answer);
});

test('[BRIEF-3] an answer that says more has no brief form', () => {
  const { results, effects, ...rest } = answerTo(plain);
  const refused = { seq: results[0]!.seq, status: 'rejected' as const, error: { code: 'map_not_found', detail: '' } };
  const answers = [
    { ...rest, results },
    { ...rest, effects, results: [refused, ...results.slice(1)] },
    { ...rest, effects, results: results.slice(1) },
    { ...rest, results, effects: { ...effects, clock_behind_ms: 90_000 } },
    { ...rest, results, effects: { ...effects, acked_seq: plain.request.acked_seq + 1 } },
  ];
  for (const answer of answers) expect(toBriefAnswer(answer as PushResponse, plain.request)).toBeUndefined();
});
