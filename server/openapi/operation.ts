/** Builds one operation of the document from a route and its docs. */
import { PushRequest } from '../../shared/protocol/push.ts';
import type { Json } from './json.ts';
import { parametersOf } from './parameters.ts';
import { DocumentedPushRequest } from './push-request.ts';
import { responsesOf, type Described } from './responses.ts';
import type { AllowedCallers } from '../http/authenticate.ts';

export function operationOf(described: Described): Json {
  const { route, docs } = described;
  const { operationId, tag, summary, description } = docs;
  const parameters = parametersOf(described);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${accessSentence(route.access)}`,
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(described),
    responses: responsesOf(described),
  };
}

function requestBodyOf({ route, docs, schemas }: Described): Json {
  const { body } = route.schemas;
  if (!body || Object.keys((body as { properties?: object }).properties ?? {}).length === 0) return {};
  const examples = Object.entries(docs.examples).map(([name, { summary, body: value }]) => [name, { summary, value }]);
  const content = {
    schema: schemas.show(body === PushRequest ? DocumentedPushRequest : body, 'request'),
    examples: Object.fromEntries(examples),
  };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

function accessSentence(access: AllowedCallers): string {
  if (access === 'public') return 'Takes no token.';
  if (access === 'operator') return "Takes the operator's token.";
  return `Takes a token with the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** A token with any one of the scopes may call the route. */
function securityOf(access: AllowedCallers): Json[] {
  if (access === 'public') return [];
  return access === 'operator' ? [{ operator: [] }] : access.map((scope) => ({ bearer: [scope] }));
}
