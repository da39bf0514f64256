/**
 * The recorded responses to the examples. `npm run openapi -- --record` asks a server for them and writes them; a test
 * asks again and compares.
 */
import { readFileSync } from 'node:fs';

export interface ExampleResponse {
  status: number;
  body: unknown;
}

/** The responses by operation id and name of the example. */
export type ExampleResponses = Record<string, Record<string, ExampleResponse>>;

export const responsesFile = new URL('example-responses.json', import.meta.url);

export function exampleResponse(operationId: string, example: string): ExampleResponse | undefined {
  responses ??= JSON.parse(readFileSync(responsesFile, 'utf8')) as ExampleResponses;
  return responses[operationId]?.[example];
}

let responses: ExampleResponses | undefined;
