/** The answers to the examples, as a server gave them: `npm run openapi -- --record` writes them, a test asks again. */
import { readFileSync } from 'node:fs';

export interface ExampleAnswer {
  status: number;
  body: unknown;
}

/** By operation and example. */
export type ExampleAnswers = Record<string, Record<string, ExampleAnswer>>;

export const answersFile = new URL('example-answers.json', import.meta.url);

export function exampleAnswer(operationId: string, example: string): ExampleAnswer | undefined {
  answers ??= JSON.parse(readFileSync(answersFile, 'utf8')) as ExampleAnswers;
  return answers[operationId]?.[example];
}

let answers: ExampleAnswers | undefined;
