/** Unpacks a body whose lists are packed. Throws `MalformedColumn` for a body that no packer makes. */
import { UnpackBudget, checkDepth } from './budget.ts';
import { kindsMax, type Column, type FieldColumn, type PackedList, type Primitive } from './column.ts';
import { derivedRules } from './derived-fields.ts';
import { requireSafeInteger, unpackDigits } from './digits.ts';
import { MalformedColumn } from './malformed.ts';
import { dividedBy } from './numbers.ts';
import { timeOf, uuidOf } from './texts.ts';

type JsonObject = Record<string, unknown>;

export function unpackBody(body: JsonObject): JsonObject {
  const unpacker = new Unpacker();
  const fields = Object.entries(body).map(([key, value]) => {
    const { packed, column } = (isObject(value) ? value : {}) as Partial<PackedList>;
    return [key, packed === undefined ? value : unpacker.values(column, requireCount(packed), 1)];
  });
  return Object.fromEntries(fields);
}

/** The fields of any column, unchecked. The type does not say which column it is, since the body was not validated. */
type UncheckedColumn = { [Name in Keys<Column>]?: unknown };
type Keys<Union> = Union extends unknown ? keyof Union : never;

class Unpacker {
  readonly #budget = new UnpackBudget();

  values(given: unknown, count: number, depth: number): unknown[] {
    checkDepth(depth);
    this.#budget.takeValues(count);
    if (!isObject(given)) throw new MalformedColumn('a column');
    const column: UncheckedColumn = given;
    if (column.same !== undefined) {
      return Array<unknown>(count).fill(this.#same(column.same, count));
    }
    if (column.digits !== undefined || column.first !== undefined || column.divisors !== undefined)
      return this.#numbers(column, count, depth);
    if (column.keys !== undefined) return this.#objects(column, count, depth);
    if (column.dictionary !== undefined) return this.#dictionary(column, count, depth);
    if (column.lengths !== undefined) return this.#lists(column, count, depth);
    if (column.times !== undefined) return this.#integers(column.times, count, depth).map(timeOf);
    if (column.uuids !== undefined) return this.#uuids(column.uuids, count, depth);
    if (column.kinds !== undefined) return this.#kinds(column, count, depth);
    return requireList(column.values, count);
  }

  #same(value: unknown, count: number): unknown {
    if (typeof value === 'object' && value !== null) throw new MalformedColumn('same');
    if (typeof value === 'string') this.#budget.takeChars(value.length * count);
    return value;
  }

  #numbers(column: UncheckedColumn, count: number, depth: number): number[] {
    if (column.digits !== undefined) return unpackDigits(column as Parameters<typeof unpackDigits>[0], count);
    if (column.first !== undefined) return this.#differences(column, count, depth);
    const divisors = requireList(column.divisors) as number[];
    const isDivided = divisors.length <= divisorsMax && divisors.every((divisor) => requireInteger(divisor) > 0);
    if (!isDivided) throw new MalformedColumn('divisors');
    return this.#integers(column.integers, count, depth).map((integer) => dividedBy(integer, divisors));
  }

  #differences({ first, steps }: UncheckedColumn, count: number, depth: number): number[] {
    let integer = requireInteger(first);
    if (count === 0) throw new MalformedColumn('a first number of none');
    const later = this.#integers(steps, count - 1, depth).map((step) => (integer = requireSafeInteger(integer + step)));
    return [requireInteger(first), ...later];
  }

  #integers(column: unknown, count: number, depth: number): number[] {
    const integers = this.values(column, count, depth + 1);
    for (let index = 0; index < count; index++) requireInteger(integers[index]);
    return integers as number[];
  }

  #uuids(columns: unknown, count: number, depth: number): string[] {
    const [heads, middles, tails] = requireList(columns, 3).map((column) => this.#integers(column, count, depth));
    return heads!.map((head, index) => uuidOf(head, middles![index]!, tails![index]!));
  }

  #dictionary({ dictionary, count: size, at }: UncheckedColumn, count: number, depth: number): unknown[] {
    const entries = this.values(dictionary, requireCount(size), depth + 1);
    return this.#integers(at, count, depth).map((index) => {
      const entry = entries[index];
      if (entry === undefined || (typeof entry === 'object' && entry !== null)) throw new MalformedColumn('an entry');
      if (typeof entry === 'string') this.#budget.takeChars(entry.length);
      return entry;
    });
  }

  #lists(column: UncheckedColumn, count: number, depth: number): unknown[][] {
    const lengths = this.#integers(column.lengths, count, depth).map(requireCount);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const items = this.values(column.items, requireCount(total), depth + 1);
    let end = 0;
    return lengths.map((length) => (length === 0 ? [] : items.slice(end, (end += length))));
  }

  #kinds({ kinds, counts, which }: UncheckedColumn, count: number, depth: number): unknown[] {
    const columns = requireList(kinds);
    if (columns.length > kindsMax) throw new MalformedColumn('kinds');
    const counted = requireList(counts, columns.length).map(requireCount);
    const values = columns.map((column, kind) => this.values(column, counted[kind]!, depth + 1));
    const used = columns.map(() => 0);
    return this.#integers(which, count, depth).map((kind) => {
      const value = values[kind]?.[used[kind]!++];
      if (value === undefined) throw new MalformedColumn('a kind');
      return value;
    });
  }

  #objects(column: UncheckedColumn, count: number, depth: number): JsonObject[] {
    const keys = requireList(column.keys).map(requireText);
    const fields = requireList(column.fields, keys.length) as FieldColumn[];
    const first = Object.fromEntries(keys.map((key, index) => [key, this.#sameInAll(fields[index], count)]));
    if (Object.keys(first).length !== keys.length) throw new MalformedColumn('a key that stands twice');
    for (const key of keys) this.#budget.takeChars(key.length * count);
    this.#budget.takeValues(count * keys.length);
    const objects: JsonObject[] = [];
    for (let row = 0; row < count; row++) objects.push({ ...first });
    const derived = new Set<string>();
    for (const [index, key] of keys.entries()) {
      const field = fields[index];
      if (isObject(field) && 'derived' in field) derived.add(key);
      else if (!isSameColumn(field)) setField(objects, key, this.values(field, count, depth + 1));
    }
    this.#derive(objects, derived);
    return objects;
  }

  /**
   * Returns the value that a field has in all objects. Returns null if the objects get the field's values later: with
   * the null, every object has all its keys in order from the start.
   */
  #sameInAll(field: unknown, count: number): unknown {
    return isSameColumn(field) ? this.#same(field.same, count) : null;
  }

  #derive(objects: readonly JsonObject[], keys: ReadonlySet<string>): void {
    let known = 0;
    for (const [key, valueOf] of derivedRules) {
      if (!keys.has(key)) continue;
      known++;
      for (const object of objects) object[key] = requirePrimitive(valueOf(object));
    }
    if (known !== keys.size) throw new MalformedColumn('a derived field');
  }
}

/** Sets a field of all objects. They already have the key, so that even `__proto__` is set like any other field. */
function setField(objects: readonly JsonObject[], key: string, values: readonly unknown[]): void {
  for (let row = 0; row < objects.length; row++) objects[row]![key] = values[row];
}

const isSameColumn = (field: unknown): field is { same: unknown } => isObject(field) && field['same'] !== undefined;

const divisorsMax = 4;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requireList(value: unknown, count?: number): unknown[] {
  if (!Array.isArray(value) || (count !== undefined && value.length !== count)) throw new MalformedColumn('a list');
  return value;
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new MalformedColumn('a text');
  return value;
}

function requireInteger(value: unknown): number {
  if (typeof value !== 'number') throw new MalformedColumn('an integer');
  return requireSafeInteger(value);
}

function requireCount(value: unknown): number {
  const count = requireInteger(value);
  if (count < 0) throw new MalformedColumn('a count');
  return count;
}

function requirePrimitive(value: unknown): Primitive {
  const isJson = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isJson) throw new MalformedColumn('a derived field');
  return value as Primitive;
}
