/** Makes one part of a valid value wrong. */
import type { ApiDocument } from '../../server/openapi/document.ts';
import { resolved } from '../openapi/shapes.ts';
import { nobodysUuid, uuidSchemaPattern, type Shape } from './values.ts';

/** A place in a value, with the schema for it. */
export interface ValuePlace {
  holder: Record<string, unknown>;
  key: string;
  shape: Shape;
}

/** Returns the places of all fields and items of a value, at any depth. Writing to a place changes the value. */
export function placesInValue(document: ApiDocument, shape: Shape, value: unknown): ValuePlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  const { properties, items, anyOf } = resolved<Shape>(document, shape as { $ref: string });
  const ofVariant = anyOf?.flatMap((part) =>
    placesInValue(document, part, isVariantFor(document, part, holder) ? value : null),
  );
  if (ofVariant) return ofVariant;
  return Object.keys(holder).flatMap((key) => {
    const inner = resolved<Shape>(document, (properties?.[key] ?? items ?? {}) as { $ref: string });
    return [{ holder, key, shape: inner }, ...placesInValue(document, inner, holder[key])];
  });
}

/** Returns whether this is the schema of mutations with the value's name. */
function isVariantFor(document: ApiDocument, part: Shape, value: Record<string, unknown>): boolean {
  const name = resolved<Shape>(document, part as { $ref: string }).properties?.['name']?.const;
  return name === undefined || name === value['name'];
}

/** Makes the value at this place wrong, in the way that `n` chooses. */
export function breakValueAt({ holder, key, shape }: ValuePlace, n: number, foreignIds: string[]): void {
  const others = [...wrongTypes, ...valuesOutOfBounds(shape, holder[key], foreignIds)];
  const choice = n % (others.length + 2);
  if (choice === 0 && !Array.isArray(holder)) delete holder[key];
  else if (choice === 1) holder[Array.isArray(holder) ? key : 'no_such_field'] = 1;
  else holder[key] = others[Math.max(0, choice - 2)];
}

const wrongTypes = [null, true, 12.5, '12', 'text', [], {}, [[]], -1];

function valuesOutOfBounds(shape: Shape, value: unknown, foreignIds: string[]): unknown[] {
  const { minimum, maximum, pattern, items, minItems, maxItems } = shape;
  const wrong: unknown[] = [];
  if (minimum !== undefined) wrong.push(minimum - 1, minimum + 0.5);
  if (maximum !== undefined) wrong.push(maximum + 1, String(maximum));
  if (shape.enum) wrong.push('no_such_word', String(shape.enum[0]).toUpperCase());
  if (pattern && uuidSchemaPattern.test(pattern)) wrong.push(nobodysUuid, 'not-a-uuid', ...foreignIds);
  else if (pattern) {
    const lengthMax = Number(/\{[01],(\d+)\}/.exec(pattern)?.[1] ?? 64);
    wrong.push('', '   ', 'x'.repeat(lengthMax + 2), 'nul \u0000', 'lone \ud800', 'lone \udc00 x');
  }
  if (shape.format === 'date-time') wrong.push('2026-02-30T00:00:00Z', '2026-04-01', '2026-04-01T09:30:00+02:00');
  if (items && Array.isArray(value)) {
    wrong.push([...value, ...value]);
    if (minItems) wrong.push([]);
    const most = maxItems ?? 0;
    if (most > 0 && most <= 1_000) wrong.push(Array.from({ length: most + 1 }, (_, index) => value[0] ?? index + 1));
  }
  return wrong;
}
