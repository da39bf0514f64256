/** A schema that has a name in the document, and what its fields mean. */
import type { TSchema } from 'typebox';

export interface Component {
  schema: TSchema;
  /** What stands in the document in its place, where the server takes more than it tells. */
  shown?: TSchema;
  description: string;
  /** What each field means; its limits come from the schema. */
  fields: Record<string, string>;
  /** In requests unknown fields are refused. Answers may gain fields within v1, so there the document allows them. */
  closed: boolean;
}

interface Described<Properties> {
  description: string;
  fields: Record<keyof Properties & string, string>;
}

type ObjectSchema = TSchema & { properties: Record<string, TSchema> };

/** A body that clients send. */
export function requestSchema<Schema extends ObjectSchema>(
  schema: Schema,
  described: Described<Schema['properties']> & { shown?: TSchema },
): Component {
  return { schema, ...described, closed: true };
}

/** A part of what is answered. */
export function answerSchema<Schema extends ObjectSchema>(
  schema: Schema,
  described: Described<Schema['properties']>,
): Component {
  return { schema, ...described, closed: false };
}

export function enumSchema(schema: TSchema, description: string): Component {
  return { schema, description, fields: {}, closed: false };
}
