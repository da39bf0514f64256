/** Values that fit a schema of the document. Their ids exist, and their texts contain the account's mark. */
import fc from 'fast-check';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { resolved } from '../openapi/shapes.ts';
import type { Actor } from './actor.ts';

/** The part of JSON Schema that requests use. */
export interface Shape {
  $ref?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
}

export const uuidSchemaPattern = /^\^\[0-9a-fA-F\]\{8\}/;
export const nobodysUuid = '00000000-0000-4000-8000-000000000000';

/** Draws a value for the schema. The name of the field shows which kind of record an id belongs to. */
export function valueOf(document: ApiDocument, actor: Actor, shape: Shape, field = ''): fc.Arbitrary<unknown> {
  const known = valuesByField(actor)[field];
  if (known) return known;
  const { type, anyOf, properties, items, ...rest } = resolved<Shape>(document, shape as { $ref: string });
  const inner = (part: Shape, name = '') => valueOf(document, actor, part, name);
  if ('const' in rest) return fc.constant(rest.const);
  if (rest.enum) return fc.constantFrom(...rest.enum);
  if (anyOf) return fc.oneof(...anyOf.map((part) => inner(part, field)));
  if (type === 'object' || properties) {
    const required = rest.required ?? [];
    // A random digest would never match, so valid values have none.
    const fields = Object.entries(properties ?? {}).filter(([name]) => name !== 'digest');
    const model = Object.fromEntries(fields.map(([name, part]) => [name, inner(part, name)]));
    return fc.record(model, { requiredKeys: required });
  }
  if (type === 'array') {
    const limits = { minLength: rest.minItems ?? 0, maxLength: Math.min(rest.maxItems ?? 5, 5) };
    const item = inner(items ?? {}, field);
    return rest.uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer' || type === 'number') return numberOf(rest, type);
  return stringOf(rest, actor);
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Shape, type: string): fc.Arbitrary<number> {
  const fractions = fc.double({ min: minimum, max: maximum, noNaN: true });
  const least = Math.ceil(Math.max(minimum, Number.MIN_SAFE_INTEGER));
  const most = Math.floor(maximum);
  if (least > most) return fractions;
  const integers = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: least, max: Math.min(most, least + 8) }) },
    { weight: 2, arbitrary: fc.integer({ min: Math.min(Math.max(least, 2 ** 31), most), max: most }) },
    { weight: 1, arbitrary: fc.constantFrom(least, most) },
  );
  return type === 'integer' ? integers : fc.oneof(integers, fractions);
}

function stringOf({ pattern, format }: Shape, actor: Actor): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2026-04-01T09:30:00.000Z', '2026-02-28T23:59:59Z');
  if (pattern === undefined) return fc.nat().map((n) => actor.cursors.pick(n, ''));
  if (uuidSchemaPattern.test(pattern)) return fc.uuid();
  const fits = new RegExp(pattern, 'u');
  if (fits.test(actor.mark)) return markedText(actor, pattern, fits);
  const kinds = ['map', 'run', 'map,run', 'run,run'].filter((each) => fits.test(each));
  return kinds.length > 0 ? fc.constantFrom(...kinds) : fc.stringMatching(fits);
}

/** Built once, since fast-check prepares tables for it. */
const anyText = fc.string({ unit: 'binary', maxLength: 12 });

/** Draws a text with the account's mark. Some texts are as long as the pattern allows. */
function markedText(actor: Actor, pattern: string, fits: RegExp): fc.Arbitrary<string> {
  const lengthMax = Number(/\{0,(\d+)\}/.exec(pattern)?.[1] ?? 40);
  const long = actor.mark + '\u{1F6E0}'.repeat(Math.min(lengthMax, 200) - actor.mark.length);
  const free = anyText.map((text) => actor.mark + withoutLoneSurrogates(text));
  return fc.oneof(
    { weight: 8, arbitrary: free.map((text) => (fits.test(text) ? text : actor.mark)) },
    { weight: 1, arbitrary: fc.constantFrom(fits.test(long) ? long : actor.mark) },
  );
}

/** Replaces lone surrogates. */
export const withoutLoneSurrogates = (text: string): string => Buffer.from(text).toString();

/** A few session ids and keys are shared, so that both accounts repeat them. */
export const sharedKey = fc.nat({ max: 60 }).map((n) => `shared-${n}`);

const deviceMadeInteger = fc.integer({ min: 2 ** 31, max: Number.MAX_SAFE_INTEGER });

function valuesByField(actor: Actor): Record<string, fc.Arbitrary<unknown>> {
  const pick = <Thing>(choose: (n: number) => Thing) => fc.nat().map(choose);
  return {
    map_id: pick((n) => actor.maps.pick(n, nobodysUuid)),
    stage_id: fc.oneof(
      pick((n) => actor.stages.pick(n, { mapId: '', stageId: 1 }).stageId),
      deviceMadeInteger,
    ),
    run_id: fc.oneof(
      pick((n) => actor.runs.pick(n, 1)),
      deviceMadeInteger,
    ),
    run_ids: fc.uniqueArray(
      pick((n) => actor.runs.pick(n, 1)),
      { minLength: 1, maxLength: 5 },
    ),
    client_id: pick((n) => actor.clients[n % actor.clients.length]!.id),
    recording_session_id: sharedKey,
    code: pick((n) => actor.codes.pick(n, 'AAAA-AAAA')),
    device_id: fc.oneof(
      pick((n) => actor.devices.pick(n, nobodysUuid)),
      fc.uuid(),
    ),
  };
}
