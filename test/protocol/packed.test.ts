import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '../domain/check-property.ts';
import { toRunSteps, runOf } from '../../shared/domain/run.ts';
import { packBody } from '../../shared/packed/pack.ts';
import { MalformedColumn } from '../../shared/packed/malformed.ts';
import { unpackBody } from '../../shared/packed/unpack.ts';

type Body = Record<string, unknown>;

const overWire = (body: unknown): Body => JSON.parse(JSON.stringify(body)) as Body;

const key = fc.oneof(
  fc.constantFrom('id', 'doc', 'kind', 'version', 'steps', 'duration_secs', 'work_type', 'value_add', 'pce', 'stages'),
  fc.constantFrom(
    'step_count',
    'total_time_secs',
    'value_add_time_secs',
    '__proto__',
    'constructor',
    'toString',
    '2',
    '',
  ),
  fc.constantFrom('same', 'values', 'packed', 'column', 'keys', 'derived'),
  fc.string({ unit: 'binary' }),
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('valuable', '\ud800', '\u2028', '__proto__', 'map', 'run', '"\\'),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().toLowerCase()),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 10_000_000 }).map((ms) => ms / 1000),
  fc.integer({ min: 0, max: 10_000_000 }).map((ms) => ms / 1000 / 3600),
  fc.constantFrom(-0, 1e308, 5e-324, 2 ** 53, -(2 ** 53), 2 ** 53 - 1),
);
const primitive = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const { value, uniform } = fc.letrec<{ value: unknown; uniform: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    primitive,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    tie('uniform'),
  ),
  // Objects with the same keys, as records have them.
  uniform: fc
    .array(key, { minLength: 1, maxLength: 6 })
    .chain((keys) =>
      fc.array(fc.tuple(...keys.map(() => tie('value'))), { maxLength: 8 }).map((rows) => ({ keys, rows })),
    )
    .map(({ keys, rows }) => rows.map((row) => Object.fromEntries(row.map((one, index) => [keys[index], one])))),
}));
const primitives = fc.oneof(fc.array(number), fc.array(text), fc.array(primitive), fc.array(fc.uuid({ version: 7 })));
const list = fc.oneof(uniform, primitives, fc.array(value, { maxLength: 30 }), fc.array(fc.constant(5)));

test('[PACKED-2] a packed body unpacks to the very JSON text that it was packed from', () => {
  let packedBodies = 0;
  const property = fc.property(list, value, (changes, other) => {
    const body = overWire({ changes, cursor: 'c', other });
    const packed = packBody(body);
    // A field that only looks packed lets the body be sent as it is.
    if (!packed) return;
    packedBodies++;
    expect(JSON.stringify(unpackBody(overWire(packed)))).toBe(JSON.stringify(body));
  });
  checkProperty(property, { examples: 300 });
  expect(packedBodies).toBeGreaterThan(100);
});

const milliseconds = fc.integer({ min: 0, max: 90_000_000 });
const step = fc.record({
  stage_name: fc.constantFrom('Load', 'Walk', 'Press'),
  ms: milliseconds,
  work_type: fc.constantFrom('valuable' as const, 'waste' as const),
  notes: fc.string({ maxLength: 10 }),
});
const run = fc.record({
  id: fc.integer({ min: 2 ** 31, max: 2 ** 47 }),
  session: fc.uuid(),
  steps: fc.array(step, { minLength: 1, maxLength: 20 }),
  name: fc.string(),
});

test('[PACKED-2] [PACKED-3] the totals and repeated fields of runs take no bytes, and come back to the last digit', () => {
  const property = fc.property(fc.array(run, { minLength: 20, maxLength: 60 }), (runs) => {
    const changes = runs.map(({ id, session, steps, name }, index) => {
      const header = { id, mapId: 'm', number: index + 1, recordingSessionId: session, deviceId: null };
      const recorded = toRunSteps(
        steps.map(({ ms, ...fields }, order) => ({ ...fields, order, duration_secs: ms / 1000 })),
      );
      const start = { started_at: new Date(1_780_000_000_000 + index * 60_000).toISOString() };
      const doc = {
        ...runOf({ ...header, start, createdAt: '2026-04-01T09:30:00.412Z' }, recorded),
        version: index + 7,
      };
      return { kind: 'run', id, version: index + 7, deleted: false, doc: index % 2 === 0 ? doc : { ...doc, name } };
    });
    const body = overWire({ changes });
    const packed = JSON.stringify(packBody(body));
    expect(JSON.stringify(unpackBody(overWire(JSON.parse(packed))))).toBe(JSON.stringify(body));
    for (const field of ['total_time_secs', 'value_add_time_secs', 'pce', 'step_count', 'value_add', 'version', 'id']) {
      expect(packed).not.toMatch(new RegExp(`"${field}":`));
    }
    expect(packed.length).toBeLessThan(JSON.stringify(body).length / 3);
  });
  checkProperty(property);
});

/** Replaces one value somewhere inside the body. */
function withReplaced(body: unknown, path: readonly number[], replacement: unknown): unknown {
  const [place = 0, ...rest] = path;
  if (typeof body !== 'object' || body === null || path.length === 0) return replacement;
  const keys = Object.keys(body);
  if (keys.length === 0) return replacement;
  const chosen = keys[place % keys.length]!;
  const copy: Record<string, unknown> = Array.isArray(body) ? (body.slice() as never) : { ...body };
  copy[chosen] = withReplaced(copy[chosen], rest, replacement);
  return copy;
}

test('[PACKED-6] a damaged packed body is refused as malformed, or is a body all the same', () => {
  let refused = 0;
  const path = fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 10 });
  const wrong = fc.oneof(value, fc.constantFrom(-1, 1e9, 2 ** 53, {}, [], '~'.repeat(50), undefined));
  const property = fc.property(list, path, wrong, (changes, place, replacement) => {
    const packed = packBody(overWire({ changes, cursor: 'c' }));
    if (!packed) return;
    const damaged = withReplaced(overWire(packed), [0, ...place], replacement) as Body;
    try {
      expect(unpackBody(damaged)).toHaveProperty('changes');
    } catch (error) {
      if (!(error instanceof MalformedColumn)) throw error;
      refused++;
    }
  });
  checkProperty(property, { examples: 300 });
  expect(refused).toBeGreaterThan(20);
});

test('[PACKED-7] a small body that would unpack to a huge one is refused', () => {
  const same = (repeated: unknown) => ({ same: repeated });
  const nested = (depth: number): unknown =>
    depth === 0 ? same(0) : { lengths: same(1_000), items: nested(depth - 1) };
  const deep = (depth: number): unknown => (depth === 0 ? same(0) : { divisors: [1], integers: deep(depth - 1) });
  const keys = ['k'.repeat(1_000_000)];
  for (const [packed, column] of [
    [4_000_001, same(1)],
    [1e15, same(1)],
    [1_000, nested(3)],
    [1, deep(40)],
    [1_000, same('x'.repeat(1_000_000))],
    [1_000, { keys, fields: [same(1)] }],
    [1_000, { dictionary: { values: ['x'.repeat(1_000_000), ''] }, count: 2, at: same(0) }],
    [4_000_000, { keys: ['a', 'b'], fields: [same(1), same(1)] }],
  ] as const) {
    expect(() => unpackBody({ changes: { packed, column } })).toThrow(MalformedColumn);
  }
});

test('[PACKED-4] a body beyond the limits of the packed form is left as it is', () => {
  expect(packBody({ changes: Array.from({ length: 4_000_001 }, () => 0) })).toBeUndefined();
  expect(packBody({ changes: [], other: { packed: 1 } })).toBeUndefined();
});

test.each([1, 3])('[PACKED-6] a list of %i values that announces 2 is refused', (count) => {
  const values = Array.from({ length: count }, (_, index) => index);
  expect(() => unpackBody({ changes: { packed: 2, column: { values } } })).toThrow(MalformedColumn);
});
