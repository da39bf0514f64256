/** Replaces the texts of people by pseudonyms. A text of a known form, such as a UUID, is kept. */

import type { Json } from './shapes.ts';

export interface PseudonymsOptions {
  /** True to pass on texts as they are. */
  texts: boolean;
}

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const codeForm = /^[a-z]{2,}(?:_[a-z]+)*$/;
const fieldForm = /^[a-z][a-z_]{0,39}$/;
const pathForm = /^(?:\/(?:[a-z_]{1,40}|\d{1,6}))*$/;

/** The words of the protocol that are kept, under the field that may hold them. */
const words: Record<string, readonly string[]> = {
  work_type: ['valuable', 'incidental', 'waste'],
  stages: ['keep', 'merge', 'replace'],
  state: ['current', 'future'],
};
const depthMax = 12;

/** A text keeps its pseudonym, which has a number and the length in characters: `text 3 (12)`. */
export class Pseudonyms {
  readonly #known = new Map<string, string>();

  text(text: string, { texts }: PseudonymsOptions): string {
    if (texts || text === '') return text;
    const known = this.#known.get(text) ?? `text ${this.#known.size + 1} (${[...text].length})`;
    this.#known.set(text, known);
    return known;
  }

  /** Keeps a UUID. Any other id may be a text, such as the number of an order. */
  id(id: string, options: PseudonymsOptions): string {
    return uuidForm.test(id) ? id : this.text(id, options);
  }

  /** Keeps the name of a field, which is in lower case with underscores. Any other may be a text. */
  fieldName(name: string, options: PseudonymsOptions): string {
    return fieldForm.test(name) ? name : this.text(name, options);
  }

  /** Keeps numbers, times, UUIDs and words of the protocol. All other texts are those of people. */
  value(value: unknown, options: PseudonymsOptions, field = '', depth = 0): unknown {
    if (typeof value === 'string') return this.#string(value, options, field);
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth > depthMax) return 'too deep';
    if (Array.isArray(value)) return value.map((item) => this.value(item, options, field, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        this.fieldName(name, options),
        this.value(item, options, name, depth + 1),
      ]),
    );
  }

  /** Keeps the code, the status and the paths of a problem. Its other members may name records. */
  problem(problem: Json | null, options: PseudonymsOptions): Json | null {
    if (problem === null) return null;
    const { code, status, detail, errors } = problem;
    return {
      code: this.code(code, options),
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof detail === 'string' ? { detail: this.text(detail, options) } : {}),
      ...(Array.isArray(errors) ? { errors: errors.map((error) => this.#pathOf(error, options)) } : {}),
    };
  }

  code(code: unknown, options: PseudonymsOptions): string | null {
    if (typeof code !== 'string') return null;
    return codeForm.test(code) ? code : this.text(code, options);
  }

  #pathOf(error: unknown, options: PseudonymsOptions): Json {
    const path = typeof error === 'object' && error !== null && 'path' in error ? String(error.path) : '';
    return { path: pathForm.test(path) ? path : this.text(path, options) };
  }

  #string(text: string, options: PseudonymsOptions, field: string): string {
    const isKept =
      uuidForm.test(text) ||
      instantForm.test(text) ||
      (Object.hasOwn(words, field) ? words[field] : undefined)?.includes(text);
    return isKept ? text : this.text(text, options);
  }
}
