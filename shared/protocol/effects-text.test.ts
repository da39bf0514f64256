import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MapDoc } from '../schema/map.ts';
import { RunDoc } from '../schema/run.ts';
import { canonicalJson } from './canonical-json.ts';
import type { EffectChange } from './effects.ts';
import { effectFieldNames, effectsText } from './effects-text.ts';

/** All names of fields in a JSON schema. */
function fieldNamesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...properties, ...Object.values(schema).flatMap(fieldNamesOf)];
}

test('[PUSH-48] the digest covers every field of maps and runs, in the order of RFC 8785', () => {
  const names = new Set(['kind', 'doc', ...[MapDoc, RunDoc].flatMap(fieldNamesOf)]);
  expect(effectFieldNames).toEqual([...names].toSorted());
});

test('[PUSH-48] the text of the changes is their RFC 8785 form, whatever the order of fields and changes', () => {
  const field = fc.constantFrom(...effectFieldNames);
  const doc = fc.dictionary(
    field,
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  );
  const change = fc.record({ version: fc.integer(), doc: fc.dictionary(field, fc.oneof(doc, fc.array(doc))) });
  fc.assert(
    fc.property(fc.uniqueArray(change, { selector: ({ version }) => version }), (changes) => {
      const sorted = changes.toSorted((a, b) => a.version - b.version);
      expect(effectsText(changes as unknown as EffectChange[])).toBe(canonicalJson(sorted));
    }),
  );
});
