/** Generates the fields of RxDB schemas from the schemas of records, for `client/rxdb`. */

/** The part of a JSON Schema by TypeBox that records use. */
interface RecordSchema {
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly RecordSchema[];
  items?: RecordSchema;
  properties?: Record<string, RecordSchema>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
}

/** Returns a module that exports `properties` and `required` of each schema. */
export function rxdbFields(schemas: Record<string, object>): string {
  const lines = Object.entries(schemas).map(([name, schema]) => {
    const { properties, required } = typesOf(schema as RecordSchema);
    return `export const ${name} = ${JSON.stringify({ properties, required })} as const;`;
  });
  return `${lines.join('\n')}\n`;
}

/** Keeps only the types: the server has checked the values, and an app may use any validator or none. */
function typesOf(schema: RecordSchema): RecordSchema & { type?: unknown } {
  if (schema.anyOf) {
    const [first, ...others] = schema.anyOf.map(typesOf);
    if (others.length !== 1 || others[0]!.type !== 'null') throw new Error('a field that is a union of more than null');
    return { ...first, type: [first!.type, 'null'] as never };
  }
  if (schema.enum) return { type: 'string' };
  const { type, items, properties, required } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(items ? { items: typesOf(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, typesOf(field)])) }
      : {}),
    ...(properties && required ? { required } : {}),
  };
}
