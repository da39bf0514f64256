/** Builds the OpenAPI 3.1 document of a server's routes, from the same schemas that check requests. */
import type { Route } from '../http/route.ts';
import { responseHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { operationOf } from './operation.ts';
import { sharedParameters, templateOf } from './parameters.ts';
import { sharedResponses } from './responses.ts';
import { createSchemas } from './schemas.ts';
import { info, securitySchemes } from './service-info.ts';
import { tagDescriptions } from './tags.ts';

export interface Document extends Json {
  info: typeof info;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
}

export function apiDocument(routes: Route[]): Document {
  const schemas = createSchemas();
  const paths: Document['paths'] = {};
  const tags: Document['tags'] = [];
  for (const [name, description] of Object.entries(tagDescriptions)) {
    const described = routes.flatMap((route) =>
      route.docs?.tag === name ? [{ route, docs: route.docs, schemas }] : [],
    );
    if (described.length > 0) tags.push({ name, description });
    for (const operation of described) {
      const { path, method } = operation.route;
      (paths[templateOf(path)] ??= {})[method.toLowerCase()] = operationOf(operation);
    }
  }
  const responses = sharedResponses(schemas);
  const parameters = sharedParameters(schemas);
  const headers = Object.entries(responseHeaders).map(([name, { schema, ...header }]) => {
    return [name, { ...header, schema: schemas.show(schema, 'answer') }] as const;
  });
  const shared = { responses, parameters, headers: Object.fromEntries(headers), securitySchemes };
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags,
    paths,
    components: { schemas: schemas.referred(), ...withoutUnusedComponents(shared, JSON.stringify([paths, responses])) },
  };
}

/** Drops the components that no route of this server uses. */
function withoutUnusedComponents(shared: Record<string, Record<string, Json>>, text: string): Document['components'] {
  const kept = Object.entries(shared).map(([kind, named]) => {
    const isKept = ([name]: [string, Json]) =>
      kind === 'securitySchemes' ? text.includes(`{"${name}":[`) : text.includes(`"#/components/${kind}/${name}"`);
    return [kind, Object.fromEntries(Object.entries(named).filter(isKept))] as const;
  });
  return Object.fromEntries(kept);
}
