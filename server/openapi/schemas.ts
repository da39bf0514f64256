/**
 * The schemas of shared/schema as the document shows them. A schema that has a name becomes a `$ref` wherever it occurs,
 * however deep; only those that something refers to are listed.
 */
import type { TSchema } from 'typebox';
import type { Component } from './component.ts';
import { accountComponents } from './components/accounts.ts';
import { authComponents } from './components/auth.ts';
import { mapComponents } from './components/maps.ts';
import { problemComponents } from './components/problems.ts';
import { recordingComponents } from './components/recordings.ts';
import { runComponents } from './components/runs.ts';
import { stageComponents } from './components/stages.ts';
import { syncComponents } from './components/sync.ts';
import type { Json } from './json.ts';

export const components: Record<string, Component> = {
  ...mapComponents,
  ...stageComponents,
  ...runComponents,
  ...recordingComponents,
  ...syncComponents,
  ...authComponents,
  ...accountComponents,
  ...problemComponents,
};

export interface Schemas {
  /** The schema, or a reference to it. */
  show(schema: TSchema): Json;
  /** All that was referred to, with what that refers to in turn. */
  referred(): Record<string, Json>;
}

export function createSchemas(): Schemas {
  const shown = new Map<string, Json>();

  function refer(name: string): Json {
    if (!shown.has(name)) {
      shown.set(name, {});
      shown.set(name, showComponent(components[name]!));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function showComponent({ schema, shown: stead, description, fields, closed }: Component): Json {
    const json = showParts(plain(stead ?? schema), closed);
    const properties = Object.entries((json['properties'] ?? {}) as Record<string, Json>);
    const explained = properties.map(([field, node]) => [field, explain(node, fields[field])]);
    return {
      ...json,
      description,
      ...(properties.length > 0 ? { properties: Object.fromEntries(explained) } : {}),
    };
  }

  /** A node below the one that is being shown. */
  function showNode(node: unknown, closed: boolean): unknown {
    if (Array.isArray(node)) return node.map((item) => showNode(item, closed));
    if (typeof node !== 'object' || node === null) return node;
    const name = nameOf.get(JSON.stringify(node));
    return name === undefined ? showParts(node as Json, closed) : refer(name);
  }

  function showParts(node: Json, closed: boolean): Json {
    const parts = Object.entries(node).flatMap(([key, part]) => {
      if (key === 'additionalProperties' && part === false && !closed) return [];
      if (key === 'description' && typeof part === 'string') return [[key, sentence(part)]];
      // Stricter on days that exist, but the same notation.
      if (key === 'format' && part === 'instant') return [[key, 'date-time']];
      return [[key, key === 'required' || key === 'enum' ? part : showNode(part, closed)]];
    });
    const isTextEnum = Array.isArray(node['enum']) && node['type'] === undefined;
    return { ...(isTextEnum ? { type: 'string' } : {}), ...Object.fromEntries(parts) };
  }

  return {
    show: (schema) => showNode(plain(schema), false) as Json,
    referred: () => Object.fromEntries([...shown].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The meaning first, then the limits, unless the type tells them. */
function explain(node: Json, meaning: string | undefined): Json {
  const limits = node['$ref'] === undefined && node['type'] !== 'boolean' ? node['description'] : undefined;
  const description = [meaning, limits].filter(Boolean).join(' ');
  return description === '' ? node : { ...node, description };
}

/** `description` holds the words for "must be ...". */
const sentence = (limits: string): string => {
  const text = limits.replace(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US'));
  return /[.!?]$/.test(text) ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
};

/** What TypeBox built, without what it keeps for itself. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

/** By their whole text: TypeBox may copy a schema where it is used. A test finds two names for one text. */
const nameOf = new Map(
  Object.entries(components).map(([name, { schema }]) => [JSON.stringify(plain(schema)), name] as const),
);
