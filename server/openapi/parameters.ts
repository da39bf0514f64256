/** What an operation takes besides its body: ids in the path, the query, and headers. */
import { Type, type TSchema } from 'typebox';
import { IntegerId, Uuid } from '../../shared/schema/fields.ts';
import { requestHeaders, type RequestHeaderName } from './headers.ts';
import type { Json } from './json.ts';
import type { ExampleRequest } from './notes.ts';
import { isSync } from './problem-codes.ts';
import type { Described } from './responses.ts';
import type { Schemas } from './schemas.ts';

export function parametersOf({ route, notes, schemas }: Described): Json[] {
  const [example] = Object.values(notes.examples);
  const headers: RequestHeaderName[] = [
    ...(isSync(route.path) ? (['GembaProtocol'] as const) : []),
    ...(notes.conditionalRead ? (['IfNoneMatch'] as const) : []),
    ...(notes.conditionalWrite ? (['IfMatch'] as const) : []),
    ...(notes.idempotency === 'key' ? (['IdempotencyKey'] as const) : []),
    ...(notes.idempotency === 'session' ? (['RecordingIdempotencyKey'] as const) : []),
  ];
  return [
    ...pathParameters(route.path, schemas, example),
    ...queryParameters(route.schemas.query, { schemas, meanings: notes.query ?? {} }),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

export function sharedParameters(schemas: Schemas): Record<string, Json> {
  const shown = Object.entries(requestHeaders).map(([key, { name, description, schema, required }]) => {
    return [key, { name, in: 'header', description, required, schema: schemas.show(schema) }] as const;
  });
  return Object.fromEntries(shown);
}

/** OpenAPI's notation of Express's path. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** By the word before the id and its name. */
const pathIds: Record<string, { schema: TSchema; description: string }> = {
  'maps/:id': { schema: Uuid, description: 'The map.' },
  'stages/:stage_id': { schema: IntegerId, description: 'The stage.' },
  'runs/:run_id': { schema: IntegerId, description: 'The run.' },
  'accounts/:id': { schema: Uuid, description: 'The account.' },
  'devices/:device_id': { schema: Uuid, description: 'The device.' },
  'keys/:id': { schema: Uuid, description: 'The API key.' },
};

function pathParameters(path: string, schemas: Schemas, example: ExampleRequest | undefined): Json[] {
  return [...path.matchAll(/\w+\/:(\w+)/g)].map(([part, name = '']) => {
    const { schema, description } = pathIds[part] ?? { schema: Type.String(), description: '' };
    const given = example?.path?.[name];
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: schemas.show(schema),
      ...(given === undefined ? {} : { example: given }),
    };
  });
}

interface Queried {
  schemas: Schemas;
  meanings: Record<string, string>;
}

function queryParameters(query: TSchema | undefined, { schemas, meanings }: Queried): Json[] {
  const properties = (query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: false, description: meanings[name] ?? '', schema: schemas.show(schema) };
  });
}
