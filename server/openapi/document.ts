/** The OpenAPI 3.1 document of the routes that a server has, made of the very schemas that check its requests. */
import type { Route } from '../http/route.ts';
import { answerHeaders } from './headers.ts';
import type { Json } from './json.ts';
import type { Resource } from './notes.ts';
import { operationOf } from './operation.ts';
import { admin } from './operations/admin.ts';
import { auth } from './operations/auth.ts';
import { maps } from './operations/maps.ts';
import { recordings } from './operations/recordings.ts';
import { runs } from './operations/runs.ts';
import { service } from './operations/service.ts';
import { stages } from './operations/stages.ts';
import { sync } from './operations/sync.ts';
import { sharedParameters, templateOf } from './parameters.ts';
import { sharedResponses } from './responses.ts';
import { createSchemas } from './schemas.ts';
import { info, securitySchemes } from './service-info.ts';

/** In the order in which a reader meets them. */
export const resources: Resource[] = [maps, stages, recordings, runs, auth, sync, admin, service];

export interface Document extends Json {
  info: typeof info;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
}

/** Routes that nobody described are left out; a test finds them. */
export function apiDocument(routes: Route[]): Document {
  const schemas = createSchemas();
  const routeOf = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const paths: Document['paths'] = {};
  const tags: Document['tags'] = [];
  for (const { tag, description, operations } of resources) {
    const present = Object.entries(operations).flatMap(([key, notes]) => {
      const route = routeOf.get(key);
      return route ? [{ route, notes }] : [];
    });
    if (present.length > 0) tags.push({ name: tag, description });
    for (const { route, notes } of present) {
      const item = (paths[templateOf(route.path)] ??= {});
      item[route.method.toLowerCase()] = operationOf({ route, notes, schemas }, tag);
    }
  }
  const responses = sharedResponses(schemas);
  const parameters = sharedParameters(schemas);
  const headers = Object.entries(answerHeaders).map(([name, { schema, ...header }]) => {
    return [name, { ...header, schema: schemas.show(schema) }] as const;
  });
  const shared = { responses, parameters, headers: Object.fromEntries(headers), securitySchemes };
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags,
    paths,
    components: { schemas: schemas.referred(), ...onlyReferred(shared, JSON.stringify([paths, responses])) },
  };
}

/** Without a component that this server's routes do not need. */
function onlyReferred(shared: Record<string, Record<string, Json>>, text: string): Document['components'] {
  const kept = Object.entries(shared).map(([kind, named]) => {
    const isKept = ([name]: [string, Json]) =>
      kind === 'securitySchemes' ? text.includes(`{"${name}":[`) : text.includes(`"#/components/${kind}/${name}"`);
    return [kind, Object.fromEntries(Object.entries(named).filter(isKept))] as const;
  });
  return Object.fromEntries(kept);
}
