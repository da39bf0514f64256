/** Builds the OpenAPI 3.1 document of the routes from the same schemas that check requests. */
import type { Route } from '../http/route.ts';
import { responseHeaders } from '../../shared/protocol/http-headers.ts';
import type { JsonObject } from './json.ts';
import { operationOf } from './operation.ts';
import { sharedParameters, openApiPathOf } from './parameters.ts';
import { sharedResponses } from './responses.ts';
import { createSchemas } from './schemas.ts';
import { serviceInfo, securitySchemes } from './service-info.ts';
import { tagDescriptions } from './tags.ts';

export interface ApiDocument extends JsonObject {
  info: typeof serviceInfo;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonObject>>;
  components: Record<string, Record<string, JsonObject>>;
}

export function buildApiDocument(routes: Route[]): ApiDocument {
  const schemas = createSchemas();
  const paths: ApiDocument['paths'] = {};
  const tags: ApiDocument['tags'] = [];
  for (const [name, description] of Object.entries(tagDescriptions)) {
    const documented = routes.flatMap((route) =>
      route.docs?.tag === name ? [{ route, docs: route.docs, schemas }] : [],
    );
    if (documented.length > 0) tags.push({ name, description });
    for (const operation of documented) {
      const { path, method } = operation.route;
      (paths[openApiPathOf(path)] ??= {})[method.toLowerCase()] = operationOf(operation);
    }
  }
  const responses = sharedResponses(schemas);
  const parameters = sharedParameters(schemas);
  const headers = Object.entries(responseHeaders).map(([name, { schema, ...header }]) => {
    return [name, { ...header, schema: schemas.convert(schema, 'response') }] as const;
  });
  const shared = { responses, parameters, headers: Object.fromEntries(headers), securitySchemes };
  return {
    openapi: '3.1.0',
    info: serviceInfo,
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags,
    paths,
    components: {
      schemas: schemas.components(),
      ...withoutUnusedComponents(shared, JSON.stringify([paths, responses])),
    },
  };
}

/** Removes the components that no route uses, such as the operator's token if there are no operator routes. */
function withoutUnusedComponents(
  shared: Record<string, Record<string, JsonObject>>,
  text: string,
): ApiDocument['components'] {
  const used = Object.entries(shared).map(([kind, named]) => {
    const isUsed = ([name]: [string, JsonObject]) =>
      kind === 'securitySchemes' ? text.includes(`{"${name}":[`) : text.includes(`"#/components/${kind}/${name}"`);
    return [kind, Object.fromEntries(Object.entries(named).filter(isUsed))] as const;
  });
  return Object.fromEntries(used);
}
