/**
 * The parts of states, such as a device or the server. Millions of states are made of some thousands of parts, so that equal
 * parts are one object, and what follows from a part is computed once.
 */
import { hash } from 'node:crypto';

/** The text of a part without what depends on how devices are called. */
export interface Shape {
  /** Two parts with the same text between their names have the same number. */
  literal: number;
  /** The names in their order: codes of devices, and digests that hold one. */
  names: readonly string[];
}

/** Ids of devices as `idsOf` makes them: the code of the name's letter, and a count. */
const ownId = /(?<=00000000-0000-4000-8000-)\d\d(?=\d{10})/.source;
const digest =
  /(?<=")(?:[0-9a-f]{16,64}|(?!00000000-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?=")/.source;
const nameIn = new RegExp(`${ownId}|${digest}`, 'g');
/** The text of a device begins with its name, which is no part of its shape. */
const ownName = /^\{"name":"[A-Z]"/;

export class Parts {
  readonly #byText = new Map<string, object>();
  readonly #shapes = new WeakMap<object, Shape>();
  readonly #literals = new Map<string, number>();

  /** Returns the one object that stands for all parts with the text of this one. */
  one<Part extends object>(part: Part): Part {
    if (this.#shapes.has(part)) return part;
    const text = JSON.stringify(part);
    const key = hash('md5', text, 'base64');
    const known = this.#byText.get(key) as Part | undefined;
    if (known) return known;
    this.#byText.set(key, part);
    this.#shapes.set(part, this.#shape(text));
    return part;
  }

  shapeOf(part: object): Shape {
    const shape = this.#shapes.get(this.one(part));
    if (!shape) throw new Error('each part has a shape');
    return shape;
  }

  #shape(text: string): Shape {
    const names: string[] = [];
    const literal = text.replace(ownName, '').replaceAll(nameIn, (name) => {
      names.push(name);
      return '*';
    });
    const key = hash('md5', literal, 'base64');
    const number = this.#literals.get(key) ?? this.#literals.size;
    this.#literals.set(key, number);
    return { literal: number, names };
  }
}

/** Remembers what follows from a part. */
export function perPart<Part extends object, Result>(compute: (part: Part) => Result): (part: Part) => Result {
  const known = new WeakMap<Part, { result: Result }>();
  return (part) => {
    const found = known.get(part) ?? { result: compute(part) };
    known.set(part, found);
    return found.result;
  };
}

/** Remembers what follows from two parts. */
export function perPair<One extends object, Other extends object, Result>(
  compute: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const ofOne = perPart((one: One) => perPart((other: Other) => compute(one, other)));
  return (one, other) => ofOne(one)(other);
}
