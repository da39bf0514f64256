/** Replaces people's texts by pseudonyms. Ids, codes and field names are kept if they have the expected form. */
import type { Json } from '../shapes.ts';

export interface PseudonymsOptions {
  /** True to keep all texts unchanged. */
  texts: boolean;
}

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const codeForm = /^[a-z]{2,}(?:_[a-z]+)*$/;
const fieldForm = /^[a-z][a-z_]{0,39}$/;
const pathForm = /^(?:\/(?:[a-z_]{1,40}|\d{1,6}))*$/;

/** Gives each text one pseudonym, which has a number and the text's length in characters: `text 3 (12)`. */
export class Pseudonyms {
  readonly #known = new Map<string, string>();

  text(text: string, { texts }: PseudonymsOptions): string {
    if (texts || text === '') return text;
    const known = this.#known.get(text) ?? `text ${this.#known.size + 1} (${[...text].length})`;
    this.#known.set(text, known);
    return known;
  }

  /** Keeps a UUID. Replaces any other id, which may be a person's text, such as an order number. */
  id(id: string, options: PseudonymsOptions): string {
    return uuidForm.test(id) ? id : this.text(id, options);
  }

  /** Keeps a field name in lower case with underscores. Replaces any other name, which may be a person's text. */
  fieldName(name: string, options: PseudonymsOptions): string {
    return fieldForm.test(name) ? name : this.text(name, options);
  }

  /** Keeps the code, the status and the paths of a problem, and drops other members, which may name records. */
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
}
