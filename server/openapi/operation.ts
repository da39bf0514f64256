/** Describes one route in the API document. OpenAPI calls a route an operation. */
import { PushRequest } from '../../shared/protocol/push.ts';
import type { JsonObject } from './json.ts';
import { parametersOf } from './parameters.ts';
import { DocumentedPushRequest } from './push-request.ts';
import { responsesOf, type DocumentedRoute } from './responses.ts';
import type { AllowedCallers } from '../http/authenticate.ts';

export function operationOf(documented: DocumentedRoute): JsonObject {
  const { route, docs } = documented;
  const { operationId, tag, summary, description } = docs;
  const parameters = parametersOf(documented);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${accessSentence(route.access)}`,
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(documented),
    responses: responsesOf(documented),
  };
}

function requestBodyOf({ route, docs, schemas }: DocumentedRoute): JsonObject {
  if (route.binaryBody !== undefined) {
    const schema = docs.unparsedBody ? schemas.convert(docs.unparsedBody, 'request') : binarySchema;
    const texts = Object.entries(docs.examples).flatMap(([name, { summary, text }]) =>
      text === undefined ? [] : [[name, { summary, value: text }] as const],
    );
    const content = { schema, ...(texts.length > 0 ? { examples: Object.fromEntries(texts) } : {}) };
    return { requestBody: { required: true, content: { [route.binaryBody]: content } } };
  }
  const { body } = route.schemas;
  if (!body || Object.keys((body as { properties?: object }).properties ?? {}).length === 0) return {};
  const examples = Object.entries(docs.examples).map(([name, { summary, body: value }]) => [name, { summary, value }]);
  const content = {
    schema: schemas.convert(body === PushRequest ? DocumentedPushRequest : body, 'request'),
    examples: Object.fromEntries(examples),
  };
  const brief = route.brief ? { [route.brief.mediaType]: briefPushContent } : {};
  return { requestBody: { required: true, content: { 'application/json': content, ...brief } } };
}

const binarySchema = { type: 'string', contentMediaType: 'application/octet-stream' };

const briefPushContent: JsonObject = {
  schema: {
    type: 'string',
    format: 'binary',
    description:
      'A push of recordings as a list in zlib’s format, without headers of its own. docs/sync-protocol.md describes it.',
  },
};

function accessSentence(access: AllowedCallers): string {
  if (access === 'public') return 'Takes no token.';
  if (access === 'operator') return "Takes the operator's token.";
  return `Takes a token with the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** The items of the array are alternatives, since a token needs only one of the scopes. */
function securityOf(access: AllowedCallers): JsonObject[] {
  if (access === 'public') return [];
  return access === 'operator' ? [{ operator: [] }] : access.map((scope) => ({ bearer: [scope] }));
}
