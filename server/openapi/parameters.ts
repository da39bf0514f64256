/** Describes the parameters of an operation: ids in the path, query parameters and headers. */
import { Type, type TSchema } from 'typebox';
import { IntegerId, meaningOf, Uuid } from '../../shared/schema/fields.ts';
import { requestHeaders, type RequestHeaderName } from './headers.ts';
import type { Json } from './json.ts';
import type { ExampleRequest } from './route-docs.ts';
import { isSync } from './problem-codes.ts';
import type { Described } from './responses.ts';
import type { Schemas } from './schemas.ts';

export function parametersOf({ route, docs, schemas }: Described): Json[] {
  const [example] = Object.values(docs.examples);
  const headers: RequestHeaderName[] = [
    ...(isSync(route.path) ? (['GembaProtocol'] as const) : []),
    ...(docs.conditionalRead ? (['IfNoneMatch'] as const) : []),
    ...(docs.conditionalWrite ? (['IfMatch'] as const) : []),
    ...(docs.idempotency === 'key' ? (['IdempotencyKey'] as const) : []),
    ...(docs.idempotency === 'session' ? (['RecordingIdempotencyKey'] as const) : []),
  ];
  return [
    ...pathParameters(route.path, schemas, example),
    ...queryParameters(route.schemas.query, schemas),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

export function sharedParameters(schemas: Schemas): Record<string, Json> {
  const shown = Object.entries(requestHeaders).map(([key, { name, description, schema, required }]) => {
    return [key, { name, in: 'header', description, required, schema: schemas.show(schema, 'request') }] as const;
  });
  return Object.fromEntries(shown);
}

/** Converts a path from Express's notation (`:id`) to OpenAPI's (`{id}`). */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** The ids in paths. The key is the word before the id, followed by the id's name. */
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
      schema: schemas.show(schema, 'request'),
      ...(given === undefined ? {} : { example: given }),
    };
  });
}

function queryParameters(query: TSchema | undefined, schemas: Schemas): Json[] {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, TSchema> };
  return Object.entries(properties).map(([name, schema]) => {
    const shown = schemas.show({ ...schema, meaning: undefined }, 'request');
    return { name, in: 'query', required: false, description: meaningOf(schema), schema: shown };
  });
}
