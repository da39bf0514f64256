/** A device of the model takes an answer. */
import type { PullResponse } from '../../shared/protocol/pull.ts';
import { problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';
import { withForwardedAnswers } from '../../client/outbox/model/settling/forwarded-answers.ts';
import { noAgreedSeq } from '../../client/outbox/model/sequence/numbering.ts';
import { busyFailureIfBatchIsSmall } from '../../client/sync/cycle/batch.ts';
import { readForwardedAnswers } from '../../client/sync/cycle/push-forwarded.ts';
import { SyncError } from '../../client/sync/cycle/failure/sync-failure.ts';
import { failureOfProblem } from '../../client/sync/net/failure.ts';
import { attempt, dispatch, fail, pullExchange, sendBatch } from './device.ts';
import {
  sequenceCheck,
  settle,
  unpushed,
  type Base,
  type Device,
  type PullExchange,
  type PushExchange,
} from './device-state.ts';

/** Handles the answer of the exchange under way. */
export async function receive(before: Device): Promise<Device> {
  const { exchange } = before;
  const device: Device = { ...before, exchange: undefined };
  switch (exchange?.kind) {
    case 'push':
      return receivePush(device, exchange);
    case 'probe': {
      if (exchange.answer?.ok) return sendBatch({ ...device, knowsServerSeq: true });
      const refusal = exchange.answer?.error;
      return refusal
        ? fail(device, sequenceCheck(device).failureOfOtherRequest(failureOfProblem(problemOfAnyCode(refusal), null)))
        : device;
    }
    case 'pull':
      return attempt(device, async () => {
        const written = await takePage(device, exchange);
        return written.exchange ? written : endPull(written, device.content.device.client_id);
      });
    default:
      return device;
  }
}

async function receivePush(device: Device, { request, entries, clientId, answer }: PushExchange): Promise<Device> {
  if (!answer) return device;
  if (!answer.ok) {
    const failure = busyFailureIfBatchIsSmall(failureOfProblem(problemOfAnyCode(answer.error), null), {
      entries,
      bytes: 1,
    });
    const agreedSeq = request.carried ? noAgreedSeq : (request.offered_seq ?? noAgreedSeq);
    const fallbackConflict = { client_id: request.client_id, agreedSeq };
    return fail(device, sequenceCheck(device).failureOfPush(failure, { clientId, fallbackConflict }));
  }
  const { response } = answer;
  let after: Device = { ...device, serverSeq: { clientId, seq: response.last_seq }, knowsServerSeq: true };
  if (request.carried) {
    const answers = await readForwardedAnswers(Promise.resolve(response), entries, () => unpushed(device));
    after = { ...device, content: withForwardedAnswers(device.content, answers, device.base.cursor?.cursor ?? '') };
  } else if (device.variant === 'done when answered') {
    const pending = device.content.pending.filter(({ seq }) => seq > response.last_seq);
    after = { ...after, content: { ...device.content, pending } };
  }
  return dispatch(after, { type: 'pushed', more: unpushed(after).length > 0, wasAnswered: true });
}

/** Keeps the page until the last one has come. Fails if the server was restored between two pages. */
export async function takePage(device: Device, exchange: PullExchange): Promise<Device> {
  const { answer, pages, request } = exchange;
  if (!answer) return device;
  const isOtherEpoch = pages.some(({ epoch }) => epoch !== answer.epoch);
  if (isOtherEpoch && device.variant !== 'join pages of two epochs') {
    throw new SyncError({ kind: 'overtaken', detail: '' });
  }
  const first = pages[0] ?? answer;
  const { cursor } = device.base;
  const isOfOtherEpoch = cursor !== undefined && first.epoch !== cursor.epoch;
  const isOvertaken = isOfOtherEpoch && !exchange.replacesAll && device.variant !== 'skip the epoch check';
  if (!answer.has_more || isOvertaken) {
    const changes = [...pages, answer].flatMap((page) => page.changes);
    return writePull(device, { replacesAll: exchange.replacesAll, isOvertaken, answer: { ...answer, changes } });
  }
  const next = { ...request, cursor: answer.cursor };
  return {
    ...device,
    exchange: { kind: 'pull', request: next, replacesAll: exchange.replacesAll, pages: [...pages, answer] },
  };
}

/** Writes the pulled records and the cursor, or begins anew after the server was restored. */
async function writePull(
  device: Device,
  { answer, replacesAll, isOvertaken }: { answer: PullResponse; replacesAll: boolean; isOvertaken: boolean },
): Promise<Device> {
  const { variant, base } = device;
  const epoch = variant === 'skip the epoch check' ? (base.cursor?.epoch ?? answer.epoch) : answer.epoch;
  if (isOvertaken) return pullExchange(device, true);
  if (variant !== 'skip the chain check') await sequenceCheck(device).verifyChanges(answer.changes);
  const before: Base = replacesAll ? { clients: {}, runIds: {} } : base;
  const clients = { ...before.clients };
  const runIds = { ...before.runIds };
  for (const { kind, id, doc } of answer.changes) {
    if (kind === 'client' && doc) clients[id] = doc;
    else if (kind === 'run' && doc) runIds[doc.recording_session_id] = id;
  }
  return { ...device, base: { clients, runIds, cursor: { cursor: answer.cursor, epoch } }, mustPullAll: false };
}

/** Ends a pull as the loop does: settles the outbox, and checks that the pull has what was pushed. */
async function endPull(written: Device, clientId: string): Promise<Device> {
  let device: Device = { ...settle(written, { hasPullEnded: true }), serverSeq: undefined };
  sequenceCheck(device).requireAgreementAfterPull();
  device = { ...device, knowsServerSeq: true };
  if (device.content.device.client_id !== clientId) device = await dispatch(device, { type: 'roundDue' });
  const { anotherRound, afterPull } = device.sync;
  if (unpushed(device).length === 0 || anotherRound || afterPull) {
    return dispatch({ ...device, pullsMissingPushed: 0 }, { type: 'pulled' });
  }
  const missing = Math.min(3, device.pullsMissingPushed + 1);
  const problem = problemOfAnyCode({ code: 'unavailable', detail: '' });
  const after = { ...device, pullsMissingPushed: missing, mustPullAll: device.mustPullAll || missing === 2 };
  return fail(after, { kind: 'busy', problem, retryAfterMs: 1 });
}
