/** The problems of all routes, which no device loads: a device has its own few (client/core/device-problem.ts). */
import { problemKinds, problemOfKind, type Problem, type ProblemCode, type Refusal } from '../problem.ts';
import { integrationProblemKinds } from './integration-problem-kinds.ts';
import { photoProblemKinds } from './photo-problem-kinds.ts';
import type { ProblemKind } from './problem-kind.ts';

/** All problems, by ascending status. */
export const allProblemKinds = Object.fromEntries(
  Object.entries({ ...problemKinds, ...photoProblemKinds, ...integrationProblemKinds }).toSorted(
    ([, a], [, b]) => a.status - b.status,
  ),
) as Record<ProblemCode, ProblemKind>;

/** Builds the problem body of a refusal with any code, as `problemOf` of ../problem.ts does for common ones. */
export const problemOfAnyCode = (refusal: Refusal, status?: number): Problem =>
  problemOfKind(allProblemKinds[refusal.code], refusal, status);
