/**
 * Packs the lists of a body, such as a page's changes, into columns. Unpacking restores exactly the same JSON text,
 * whatever the records contain.
 */
import { UnpackBudget } from './budget.ts';
import { columnDepthMax, kindsMax, type Column, type FieldColumn, type PackedList, type Primitive } from './column.ts';
import { derivedRules } from './derived-fields.ts';
import { MalformedColumn } from './malformed.ts';
import { packIntegers, packNumbers } from './numbers.ts';
import { packTexts } from './texts.ts';

type JsonObject = Record<string, unknown>;

/** A shorter list is smaller unpacked. */
const packedItemsMin = 2;

/** Leaves room for the columns of texts and numbers, which nest up to four levels deeper. */
const packedDepthMax = columnDepthMax - 4;

/** Packs a JSON body. Returns undefined if the body must be sent unpacked. */
export function packBody(body: JsonObject): JsonObject | undefined {
  const budget = new UnpackBudget();
  try {
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, packField(value, budget)]));
  } catch (error) {
    if (error instanceof MalformedColumn) return undefined;
    throw error;
  }
}

function packField(value: unknown, budget: UnpackBudget): unknown {
  if (Array.isArray(value) && value.length >= packedItemsMin) {
    return { packed: value.length, column: new Packer(budget).column(value, 1) } satisfies PackedList;
  }
  if (isObject(value) && 'packed' in value) throw new MalformedColumn('a field that looks packed');
  return value;
}

class Packer {
  readonly #budget: UnpackBudget;

  constructor(budget: UnpackBudget) {
    this.#budget = budget;
  }

  column(values: readonly unknown[], depth: number): Column {
    this.#budget.takeValues(values.length);
    const [first] = values;
    if (values.length < packedItemsMin || depth > packedDepthMax) return { values: [...values] };
    if (isPrimitive(first) && values.every((value) => value === first)) return { same: first };
    const only = onlyKindOf(values);
    if (only !== undefined) return this.#columnOfKind(only, values, depth);
    const kinds = kindsOf(values);
    if (kinds.size > kindsMax) return { values: [...values] };
    const dictionary = [...kinds.keys()].every(isPrimitiveKind) ? dictionaryColumn(values) : undefined;
    return dictionary ?? this.#kinds(values, kinds, depth);
  }

  #columnOfKind(kind: string, values: readonly unknown[], depth: number): Column {
    if (values.length < packedItemsMin) return { values: [...values] };
    switch (kind) {
      case 'number':
        return packNumbers(values as number[]);
      case 'text':
        return dictionaryColumn(values) ?? packTexts(values as string[]);
      case 'list':
        return this.#lists(values as unknown[][], depth);
      case 'other':
        return dictionaryColumn(values) ?? { values: [...values] };
      default:
        return this.#objects(values as JsonObject[], depth);
    }
  }

  #kinds(values: readonly unknown[], kinds: Map<string, KindGroup>, depth: number): Column {
    this.#budget.takeValues(values.length);
    const which = values.map(() => 0);
    for (const [index, { rows }] of [...kinds.values()].entries()) for (const row of rows) which[row] = index;
    return {
      kinds: [...kinds].map(([kind, { values: itsValues }]) => this.#columnOfKind(kind, itsValues, depth + 1)),
      counts: [...kinds.values()].map(({ rows }) => rows.length),
      which: packIntegers(which),
    };
  }

  #lists(lists: readonly unknown[][], depth: number): Column {
    const lengths = packIntegers(lists.map(({ length }) => length));
    const items: unknown[] = [];
    for (const list of lists) for (const item of list) items.push(item);
    return { lengths, items: this.column(items, depth + 1) };
  }

  #objects(objects: readonly JsonObject[], depth: number): Column {
    const keys = Object.keys(objects[0]!);
    const columns = columnsOf(objects, keys.length);
    const fields = keys.map((key, index): FieldColumn => {
      const values = columns[index]!;
      const valueOf = derivedRules.get(key);
      if (valueOf && isDerived(objects, values, valueOf)) return { derived: true };
      return this.column(values, depth + 1);
    });
    return { keys, fields };
  }
}

/** Returns a list of values for each key. `Object.values` is faster than reading key by key. */
function columnsOf(objects: readonly JsonObject[], count: number): unknown[][] {
  const columns = Array.from({ length: count }, (): unknown[] => []);
  for (const object of objects) {
    const values = Object.values(object);
    for (let index = 0; index < count; index++) columns[index]!.push(values[index]);
  }
  return columns;
}

const isDerived = (objects: readonly JsonObject[], values: unknown[], valueOf: (object: JsonObject) => unknown) =>
  objects.every((object, row) => isPrimitive(values[row]) && valueOf(object) === values[row]);

interface KindGroup {
  values: unknown[];
  rows: number[];
}

/** Returns the one kind of all values; undefined if they have several. */
function onlyKindOf(values: readonly unknown[]): string | undefined {
  const [first] = values;
  const kind = kindOf(first);
  const isAsFirst = isObject(first) ? sameKindAs(first) : (value: unknown) => kindOfValue(value) === kind;
  return values.every(isAsFirst) ? kind : undefined;
}

/** Returns a test for the object's kind. It compares keys, which is cheaper than building the name of a kind. */
function sameKindAs(object: JsonObject): (value: unknown) => boolean {
  const keys = Object.keys(object);
  const recordKind = recordKindOf(object);
  return (value) => isObject(value) && recordKindOf(value) === recordKind && hasKeys(value, keys);
}

/** Groups values by kind: numbers, texts, lists, objects with the same keys, and others. */
function kindsOf(values: readonly unknown[]): Map<string, KindGroup> {
  const kinds = new Map<string, KindGroup>();
  for (const [row, value] of values.entries()) {
    const group = ensureGroup(kinds, kindOf(value));
    group.values.push(value);
    group.rows.push(row);
    if (kinds.size > kindsMax) break;
  }
  return kinds;
}

function ensureGroup(kinds: Map<string, KindGroup>, name: string): KindGroup {
  const known = kinds.get(name);
  if (known) return known;
  const group: KindGroup = { values: [], rows: [] };
  kinds.set(name, group);
  return group;
}

const kindOf = (value: unknown): string =>
  isObject(value) ? JSON.stringify([recordKindOf(value), ...Object.keys(value)]) : kindOfValue(value);

/** Returns the object's `kind`. It separates changes of maps and of runs, which have equal keys but unlike records. */
function recordKindOf(object: JsonObject): string {
  const { kind } = object;
  return typeof kind === 'string' ? kind : '';
}

function kindOfValue(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (Array.isArray(value)) return 'list';
  return value === null || typeof value !== 'object' ? 'other' : 'object';
}

/** Tells whether the values of a kind are primitive. The values of the remaining kinds are lists or objects. */
const isPrimitiveKind = (name: string): boolean => name === 'number' || name === 'text' || name === 'other';

/**
 * Tells whether the object has exactly these keys in this order. `for` is faster than `Object.keys`, and gives the same
 * keys for an object from JSON, which inherits none.
 */
function hasKeys(object: JsonObject, keys: readonly string[]): boolean {
  let count = 0;
  for (const key in object) if (key !== keys[count++]) return false;
  return count === keys.length;
}

/** Returns a dictionary; undefined if it would have more than half as many entries as there are values. */
function dictionaryColumn(values: readonly unknown[]): Column | undefined {
  const indexes = new Map<unknown, number>();
  const at: number[] = [];
  for (const value of values) {
    let index = indexes.get(value);
    if (index === undefined) indexes.set(value, (index = indexes.size));
    if (indexes.size * 2 > values.length) return undefined;
    at.push(index);
  }
  const entries = [...indexes.keys()];
  const dictionary = entries.every(isText) ? packTexts(entries) : { values: entries };
  return { dictionary, count: entries.length, at: packIntegers(at) };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPrimitive = (value: unknown): value is Primitive => value === null || typeof value !== 'object';
