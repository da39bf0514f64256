/**
 * Explains each problem code to the developers of clients. The API document and its reference page show these texts.
 */
import type { ProblemCode } from '../problem.ts';
import { credentialProblemMeanings } from './credential-problems.ts';
import { httpProblemMeanings } from './http-problems.ts';
import { integrationProblemMeanings } from './integration-problems.ts';
import { photoProblemMeanings } from './photo-problems.ts';
import type { ProblemMeaning } from './problem-meaning.ts';
import { recordProblemMeanings } from './record-problems.ts';
import { syncProblemMeanings } from './sync-problems.ts';

export const problemMeanings: Record<ProblemCode, ProblemMeaning> = {
  ...httpProblemMeanings,
  ...credentialProblemMeanings,
  ...recordProblemMeanings,
  ...syncProblemMeanings,
  ...photoProblemMeanings,
  ...integrationProblemMeanings,
};
