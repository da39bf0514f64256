/** One operation of the document: the route and the notes to it. */
import type { Json } from './json.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf, type Described } from './responses.ts';
import type { Access } from '../http/authenticate.ts';

export function operationOf(described: Described, tag: string): Json {
  const { route, notes } = described;
  const { operationId, summary, description } = notes;
  const parameters = parametersOf(described);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${accessWords(route.access)}`,
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(described),
    responses: responsesOf(described),
  };
}

function requestBodyOf({ route, notes, schemas }: Described): Json {
  const { body } = route.schemas;
  if (!body || Object.keys((body as { properties?: object }).properties ?? {}).length === 0) return {};
  const examples = Object.entries(notes.examples).map(([name, { summary, body: value }]) => [name, { summary, value }]);
  const content = { schema: schemas.show(body), examples: Object.fromEntries(examples) };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

function accessWords(access: Access): string {
  if (access === 'public') return 'Takes no token.';
  if (access === 'operator') return "Takes the operator's token.";
  return `Takes a token with the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** Either of several scopes will do. */
function securityOf(access: Access): Json[] {
  if (access === 'public') return [];
  return access === 'operator' ? [{ operator: [] }] : access.map((scope) => ({ bearer: [scope] }));
}
