/**
 * The recorded answers to the examples. `npm run openapi -- --record` asks a server for them and writes them; a test
 * asks again and compares.
 */
import { readFileSync } from 'node:fs';

export interface ExampleAnswer {
  status: number;
  body: unknown;
}

/** The answers by operation id and name of the example. */
export type ExampleAnswers = Record<string, Record<string, ExampleAnswer>>;

export const answersFile = new URL('example-answers.json', import.meta.url);

export function exampleAnswer(operationId: string, example: string): ExampleAnswer | undefined {
  answers ??= JSON.parse(readFileSync(answersFile, 'utf8')) as ExampleAnswers;
  return answers[operationId]?.[example];
}

let answers: ExampleAnswers | undefined;
