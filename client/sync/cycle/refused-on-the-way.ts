/** Makes the problems and failures for a push that a firewall or proxy refuses because of its content. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { SyncFailure, type Failure } from './failure.ts';

/** Tells a person to change the text that a firewall mistakes for an attack, or to send it in another network. */
export function refusedOnTheWay(failure: Failure): Problem {
  const status = statusOf(failure);
  const came = status === undefined ? `breaks off at this (${failureDetail(failure)})` : `answers ${status} to this`;
  const detail = `The server, or something on the way to it, ${came}. A firewall may mistake a word in it for an attack: change it, or send it again in another network.`;
  const isRefusal = status !== undefined && status >= 400;
  const problem = problemOf({ code: 'unavailable', detail }, isRefusal ? status : undefined);
  return { ...problem, title: 'Refused on the way to the server' };
}

const statusOf = (failure: Failure): number | undefined =>
  failure.kind === 'unreachable' ? failure.status : failure.problem.status;

const failureDetail = (failure: Failure): string =>
  failure.kind === 'unreachable' ? failure.detail : failure.problem.detail;

/** The failure if an empty push fails, too: the content cannot be the cause. */
export function refusedAltogether(failure: Failure): SyncFailure {
  const detail = `Even an empty push fails: ${failureDetail(failure)}`;
  const retryAfterMs = failure.kind === 'busy' ? failure.retryAfterMs : null;
  const problem = problemOf({ code: 'unavailable', detail });
  return new SyncFailure({ kind: 'busy', problem, retryAfterMs, isProbed: true });
}

/** The failure of a mutation in a batch of its own, which will be tried again before it is withdrawn. */
export const failureOfMutationAlone = (failure: Failure): SyncFailure =>
  new SyncFailure({ kind: 'busy', problem: refusedOnTheWay(failure), retryAfterMs: null, isProbed: true });

export const tooLarge: Problem = problemOf({
  code: 'payload_too_large',
  detail: 'It is larger than the server, or something on the way to it, takes.',
});
