/**
 * Reads the recorded responses to the example requests. `npm run openapi -- --record` sends the requests to a server
 * and records the responses. A test sends the requests again and compares.
 */
import { readFileSync } from 'node:fs';

export interface ExampleResponse {
  status: number;
  body: unknown;
}

/** The outer key is the operation id, and the inner key is the name of the example. */
export type ExampleResponses = Record<string, Record<string, ExampleResponse>>;

export const responsesFileUrl = new URL('example-responses.json', import.meta.url);

export function readExampleResponse(operationId: string, example: string): ExampleResponse | undefined {
  cachedResponses ??= JSON.parse(readFileSync(responsesFileUrl, 'utf8')) as ExampleResponses;
  return cachedResponses[operationId]?.[example];
}

let cachedResponses: ExampleResponses | undefined;
