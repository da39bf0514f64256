/**
 * Builds the problems and errors of a push that a firewall or proxy refuses because of its content. Pure. Loaded when a
 * push fails.
 */
import type { Problem } from '../../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../../core/device-problem.ts';
import { SyncError, type SyncFailure } from './sync-failure.ts';

export function firewallProblem(failure: SyncFailure): Problem {
  const status = statusOf(failure);
  const symptom = status === undefined ? `breaks off at this (${detailOf(failure)})` : `answers ${status} to this`;
  const detail = `The server, or something on the way to it, ${symptom}. A firewall may mistake a word in it for an attack: change it, or send it again in another network.`;
  const isRefusal = status !== undefined && status >= 400;
  const problem = deviceProblemOf({ code: 'unavailable', detail }, isRefusal ? status : undefined);
  return { ...problem, title: 'Refused on the way to the server' };
}

const statusOf = (failure: SyncFailure): number | undefined => {
  if ('problem' in failure) return failure.problem.status;
  return failure.kind === 'unreachable' ? failure.status : undefined;
};

const detailOf = (failure: SyncFailure): string => ('problem' in failure ? failure.problem.detail : failure.detail);

/** Builds the error of a failed empty push. The failure proves that the content of mutations is not the cause. */
export function emptyPushError(failure: SyncFailure): SyncError {
  const detail = `Even an empty push fails: ${detailOf(failure)}`;
  const retryAfterMs = failure.kind === 'busy' ? failure.retryAfterMs : null;
  const problem = deviceProblemOf({ code: 'unavailable', detail });
  return new SyncError({ kind: 'busy', problem, retryAfterMs, isContentCleared: true });
}

/**
 * Builds the error of a failed push with one mutation. The device pushes it again before the mutation becomes
 * unsendable.
 */
export const singleMutationError = (failure: SyncFailure): SyncError =>
  new SyncError({ kind: 'busy', problem: firewallProblem(failure), retryAfterMs: null, isContentCleared: true });

export const tooLargeProblem: Problem = deviceProblemOf({
  code: 'payload_too_large',
  detail: 'It is larger than the server, or something on the way to it, takes.',
});
