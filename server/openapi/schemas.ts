/**
 * Converts the schemas of shared/schema for the document. Each schema with a title becomes a component when it is first
 * used, and every use becomes a `$ref`.
 */
import type { TSchema } from 'typebox';
import { assert } from '../../shared/domain/assert.ts';
import type { Json } from './json.ts';

/** Requests refuse unknown fields. Answers may gain fields within v1, so the document allows them there. */
export type Direction = 'request' | 'answer';

export interface Schemas {
  /** Returns the schema, or a reference if it has a title. */
  show(schema: TSchema, direction: Direction): Json;
  /** Returns every component that is referred to, also from another component. */
  referred(): Record<string, Json>;
}

export function createSchemas(): Schemas {
  const components = new Components();
  return {
    show: (schema, direction) => components.show(plainJson(schema), direction) as Json,
    referred: () => components.sorted(),
  };
}

interface Component {
  direction: Direction;
  /** The schema as text, to check that two schemas with one title are equal. */
  text: string;
  shown: Json;
}

class Components {
  readonly #byTitle = new Map<string, Component>();

  show(node: unknown, direction: Direction): unknown {
    if (Array.isArray(node)) return node.map((item) => this.show(item, direction));
    if (!isJson(node)) return node;
    const { title, meaning } = node;
    if (typeof title === 'string') {
      const reference = this.#refer(title, node, direction);
      return typeof meaning === 'string' ? { ...reference, description: meaning } : reference;
    }
    return withDescription(this.#keywords(node, direction), fieldDescription(node));
  }

  sorted(): Record<string, Json> {
    const shown = [...this.#byTitle].map(([title, component]) => [title, component.shown] as const);
    return Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(title: string, node: Json, direction: Direction): Json {
    const text = JSON.stringify({ ...node, meaning: undefined });
    const known = this.#byTitle.get(title);
    if (known) {
      assert(known.text === text, `two schemas have the title ${title}`);
      assert(known.direction === direction || 'enum' in node, `${title} is in a request and in an answer`);
    } else {
      const component: Component = { direction, text, shown: {} };
      this.#byTitle.set(title, component);
      component.shown = withDescription(this.#keywords(node, direction), node['description']);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Converts all keywords except our own. A field may have the same name as a keyword, but its value is an object. */
  #keywords(node: Json, direction: Direction): Json {
    const parts = Object.entries(node).flatMap(([key, part]) => {
      if (ownKeywords.has(key) && typeof part === 'string') return [];
      if (key === 'additionalProperties' && part === false && direction === 'answer') return [];
      // Our format `instant` also requires that the day exists; otherwise it is `date-time`.
      if (key === 'format' && part === 'instant') return [[key, 'date-time']];
      return [[key, this.show(part, direction)]];
    });
    const [value]: unknown[] = Array.isArray(node['enum']) && node['type'] === undefined ? node['enum'] : [];
    return { ...(value === undefined ? {} : { type: typeof value }), ...Object.fromEntries(parts) };
  }
}

const ownKeywords = new Set(['title', 'description', 'expected', 'meaning']);

const withDescription = (shown: Json, description: unknown): Json =>
  typeof description === 'string' && description !== '' ? { ...shown, description } : shown;

/** Describes a field: first its meaning, then its limits unless the type makes them clear. */
function fieldDescription({ meaning, expected, type }: Json): string {
  const isClearFromType = typeof meaning === 'string' && type === 'boolean';
  const parts = [meaning, typeof expected === 'string' && !isClearFromType ? asSentence(expected) : undefined];
  return parts.filter((part) => typeof part === 'string').join(' ');
}

const asSentence = (expected: string): string => {
  const text = expected.replace(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US'));
  return /[.!?]$/.test(text) ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
};

const isJson = (node: unknown): node is Json => typeof node === 'object' && node !== null;

/** Removes TypeBox's internal properties. */
const plainJson = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;
