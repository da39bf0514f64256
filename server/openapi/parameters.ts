/** Builds the parameters of an operation: the ids in the path, the query parameters and the headers. */
import { Type, type TSchema } from 'typebox';
import { IntegerId, meaningOf, Uuid } from '../../shared/schema/fields.ts';
import { PhotoId } from '../../shared/schema/photos/photo.ts';
import { requestHeaders, type RequestHeaderName } from '../../shared/protocol/http-headers.ts';
import type { JsonObject } from './json.ts';
import type { ExampleRequest } from './route-docs.ts';
import { isSyncPath } from './problem-codes.ts';
import type { DocumentedRoute } from './responses.ts';
import type { Schemas } from './schemas.ts';

export function parametersOf({ route, docs, schemas }: DocumentedRoute): JsonObject[] {
  const [example] = Object.values(docs.examples);
  const headers: RequestHeaderName[] = [
    ...(isSyncPath(route.path) ? (['GembaProtocol', 'GembaDevice'] as const) : []),
    ...(docs.conditionalRead ? (['IfNoneMatch'] as const) : []),
    ...(docs.takesRange ? (['Range'] as const) : []),
    ...(docs.tus ? (['TusResumable'] as const) : []),
    ...(docs.tus === 'append' ? (['UploadOffset'] as const) : []),
    ...(docs.conditionalWrite ? (['IfMatch'] as const) : []),
    ...(docs.idempotency === 'key' || docs.idempotency === 'unneeded' ? (['IdempotencyKey'] as const) : []),
    ...(docs.idempotency === 'session' ? (['RecordingIdempotencyKey'] as const) : []),
  ];
  return [
    ...pathParameters(route.path, schemas, example),
    ...queryParameters(route.schemas.query, schemas),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

export function sharedParameters(schemas: Schemas): Record<string, JsonObject> {
  const shown = Object.entries(requestHeaders).map(([key, { name, description, schema, required }]) => {
    return [key, { name, in: 'header', description, required, schema: schemas.convert(schema, 'request') }] as const;
  });
  return Object.fromEntries(shown);
}

/** Converts a path of Express, such as `/maps/:id`, into a path of OpenAPI, such as `/maps/{id}`. */
export const openApiPathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** Each key is a part of a path in the notation of Express. */
const pathIdParameters: Record<string, { schema: TSchema; description: string }> = {
  'maps/:id': { schema: Uuid, description: 'The map.' },
  'stages/:stage_id': { schema: IntegerId, description: 'The stage.' },
  'webhooks/:webhook_id': { schema: Uuid, description: 'The endpoint.' },
  'deliveries/:event_id': { schema: Type.String(), description: 'The event, by its id.' },
  'runs/:run_id': { schema: IntegerId, description: 'The run.' },
  'accounts/:id': { schema: Uuid, description: 'The account.' },
  'devices/:device_id': { schema: Uuid, description: 'The device.' },
  'photos/:photo_id': { schema: PhotoId, description: 'The photo.' },
  'keys/:id': { schema: Uuid, description: 'The API key.' },
};

function pathParameters(path: string, schemas: Schemas, example: ExampleRequest | undefined): JsonObject[] {
  return [...path.matchAll(/\w+\/:(\w+)/g)].map(([part, name = '']) => {
    const { schema, description } = pathIdParameters[part] ?? { schema: Type.String(), description: '' };
    const given = example?.path?.[name];
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: schemas.convert(schema, 'request'),
      ...(given === undefined ? {} : { example: given }),
    };
  });
}

function queryParameters(query: TSchema | undefined, schemas: Schemas): JsonObject[] {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, TSchema> };
  return Object.entries(properties).map(([name, schema]) => {
    const shown = schemas.convert({ ...schema, meaning: undefined }, 'request');
    return { name, in: 'query', required: false, description: meaningOf(schema), schema: shown };
  });
}
