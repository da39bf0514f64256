/**
 * Converts TypeBox schemas for the OpenAPI document. The first use of a schema with a title adds the schema to the
 * document's components. Every use of the schema becomes a `$ref` to that component. The title is the public name of
 * the schema, and may differ from the name of the constant: integrators read `PushAnswer`, and the code has
 * `PushResponse`.
 */
import type { TSchema } from 'typebox';
import { assert } from '../../shared/domain/assert.ts';
import type { JsonObject } from './json.ts';

/** In a request, the server refuses unknown fields. In a response, a client must accept unknown fields. */
type SchemaDirection = 'request' | 'response';

export interface Schemas {
  /** Returns the converted schema, or a `$ref` if the schema has a title. */
  convert(schema: TSchema, direction: SchemaDirection): JsonObject;
  /** Returns the converted schemas that have a title. */
  components(): Record<string, JsonObject>;
}

export function createSchemas(): Schemas {
  const components = new SchemaComponents();
  return {
    convert: (schema, direction) => components.convert(plainJson(schema), direction) as JsonObject,
    components: () => components.sortedByTitle(),
  };
}

interface SchemaComponent {
  direction: SchemaDirection;
  /** The schema as text, to check that two schemas with the same title are equal. */
  text: string;
  converted: JsonObject;
}

class SchemaComponents {
  readonly #byTitle = new Map<string, SchemaComponent>();

  convert(node: unknown, direction: SchemaDirection): unknown {
    if (Array.isArray(node)) return node.map((item) => this.convert(item, direction));
    if (!isJsonObject(node)) return node;
    const { title, meaning } = node;
    if (typeof title === 'string') {
      const reference = this.#referenceTo(title, node, direction);
      return typeof meaning === 'string' ? { ...reference, description: meaning } : reference;
    }
    return withDescription(this.#convertKeywords(node, direction), fieldDescription(node));
  }

  sortedByTitle(): Record<string, JsonObject> {
    const converted = [...this.#byTitle].map(([title, component]) => [title, component.converted] as const);
    return Object.fromEntries(converted.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #referenceTo(title: string, node: JsonObject, direction: SchemaDirection): JsonObject {
    const text = JSON.stringify({ ...node, meaning: undefined });
    const known = this.#byTitle.get(title);
    if (known) {
      assert(known.text === text, `two schemas have the title ${title}`);
      assert(known.direction === direction || 'enum' in node, `${title} is in a request and in a response`);
    } else {
      const component: SchemaComponent = { direction, text, converted: {} };
      this.#byTitle.set(title, component);
      component.converted = withDescription(this.#convertKeywords(node, direction), node['description']);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  /**
   * Leaves out our own keywords, whose values are texts. A field of an object may have the name of a keyword. Such a
   * field stays, since the value of a field is a schema.
   */
  #convertKeywords(node: JsonObject, direction: SchemaDirection): JsonObject {
    const parts = Object.entries(node).flatMap(([key, part]) => {
      if (ownKeywords.has(key) && typeof part === 'string') return [];
      if (key === 'additionalProperties' && part === false && direction === 'response') return [];
      // Our format `instant` is `date-time` plus a check that the day exists.
      if (key === 'format' && part === 'instant') return [[key, 'date-time']];
      return [[key, this.convert(part, direction)]];
    });
    const [value]: unknown[] = Array.isArray(node['enum']) && node['type'] === undefined ? node['enum'] : [];
    return { ...(value === undefined ? {} : { type: typeof value }), ...Object.fromEntries(parts) };
  }
}

const ownKeywords = new Set(['title', 'description', 'expected', 'meaning']);

const withDescription = (converted: JsonObject, description: unknown): JsonObject =>
  typeof description === 'string' && description !== '' ? { ...converted, description } : converted;

/** Joins the keywords `meaning` and `expected` of a field. A boolean with a `meaning` needs no `expected`. */
function fieldDescription({ meaning, expected, type }: JsonObject): string {
  const isClearFromType = typeof meaning === 'string' && type === 'boolean';
  const parts = [meaning, typeof expected === 'string' && !isClearFromType ? asSentence(expected) : undefined];
  return parts.filter((part) => typeof part === 'string').join(' ');
}

const asSentence = (expected: string): string => {
  const text = expected.replace(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US'));
  return /[.!?]$/.test(text) ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
};

const isJsonObject = (node: unknown): node is JsonObject => typeof node === 'object' && node !== null;

/** Removes the internal properties of TypeBox, which JSON leaves out. */
const plainJson = (schema: TSchema): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;
