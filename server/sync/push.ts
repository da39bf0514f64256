/**
 * `POST /sync/push` applies each mutation of a device exactly once. It returns the new and the stored answers that the
 * client has not acknowledged.
 *
 *   claim the client ─► read the mutations ─► apply the batch ─► release a claim without effect ─► answers
 */
import type { MutationAnswer, PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import type { Caller } from '../core/caller.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { World } from '../core/world.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import { pushUnit, type AnsweredPush, type ParsedMutation, type PushBatch } from '../mutate/push-unit.ts';
import type { AccountWriter } from '../mutate/token-check.ts';
import type { AnswerWithDigest } from '../store/rows/push-answers.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import { accountRefusal } from './account-refusal.ts';
import type { ClientOwners } from './client-owners.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { digestOfEffects, type PushBase } from './push-base.ts';
import { readMutations } from './read-mutations.ts';

type PushCaller = Pick<Caller, 'accountId' | 'deviceId' | 'scopes' | 'tokenHash' | 'actor'>;

interface PushServices {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  world: World;
}

export async function push(
  { store, queue, owners, world }: PushServices,
  caller: PushCaller,
  request: PushRequest,
  base?: PushBase,
): Promise<{ ok: true; response: PushResponse } | RefusedRequest> {
  const clientId = request.client_id.toLowerCase();
  const mismatch = accountRefusal(request.account_id, caller);
  if (mismatch) return mismatch;
  const claim = await owners.claim(clientId, { ...caller, carried: request.carried });
  if (!claim.ok) return claim;

  const { deviceId } = caller;
  const pushed = await readMutations(request.mutations, caller, world);
  const batch = {
    clientId,
    deviceId,
    ackedSeq: request.acked_seq,
    offeredSeq: request.offered_seq,
    chain: request.chain,
    baseVersion: versionOfBase(base),
    deviceClockBehindMs: deviceClockBehindMs(request, world.now()),
    pushed,
  };
  const applied = await applyBatch({ store, queue }, caller, batch);
  // Release the new client id if neither this push nor a parallel one applied or rejected a mutation of the client.
  const isUnused = !applied.ok || applied.outcome.lastSeq === 0;
  const isFree = claim.isNew && isUnused && !(await hasFirstAnswer(store, caller, clientId));
  if (isFree) await owners.release(clientId, caller);
  if (!applied.ok) return applied;
  const { lastSeq, accountVersion, ackedSeq } = applied.outcome;
  // A forwarding device gets all answers that the store still has, even those that the client's own device
  // acknowledged.
  const results = answersInOrder(pushed, applied, request.carried ? 0 : ackedSeq);
  const response = { results, last_seq: lastSeq, cursor: formatCursor({ version: accountVersion }) };
  const { effects } = applied.outcome;
  if (!effects || !base) return { ok: true, response };
  const { changes, after, at, chain } = effects;
  const { deviceClockBehindMs: clock_behind_ms } = batch;
  return {
    ok: true,
    response: {
      ...response,
      results: results.map(withoutResult),
      effects: {
        after,
        at,
        ...(clock_behind_ms === 0 ? {} : { clock_behind_ms }),
        acked_seq: ackedSeq,
        chain,
        digest: digestOfEffects(changes.filter(({ kind }) => base.kinds.includes(kind))),
      },
    },
  };
}

/** Returns undefined for a cursor between two pages of a first pull, since the device then lacks records. */
function versionOfBase(base: PushBase | undefined): number | undefined {
  const cursor = base && parseCursor(base.cursor);
  return cursor?.began === undefined ? cursor?.version : undefined;
}

/** Leaves out the result of an answer, since the device computes it together with the effects. */
function withoutResult(answer: MutationAnswer): MutationAnswer {
  if (answer.status === 'rejected') return answer;
  const { result: _result, ...rest } = answer;
  return rest;
}

async function hasFirstAnswer(store: Store, { accountId }: PushCaller, clientId: string): Promise<boolean> {
  return (await store.pushAnswers(accountId, { clientId, from: 1, to: 1 })).length > 0;
}

/** A smaller difference between the clocks is ignored, since a push may take long to arrive. */
const ignoredClockSkewMsMax = 60_000;

/** Returns 0 if the device's clock is right or the device did not send its time. */
function deviceClockBehindMs({ sent_at }: PushRequest, nowMs: number): number {
  const behindMs = sent_at === undefined ? 0 : nowMs - Date.parse(sent_at);
  return Math.abs(behindMs) > ignoredClockSkewMsMax ? behindMs : 0;
}

/**
 * Limits the reads of earlier answers by one push. A parallel push of the same mutations makes another read necessary.
 */
const answerReadsMax = 20;

interface AppliedBatch {
  ok: true;
  /** The outcome of the last transaction. */
  outcome: AnsweredPush;
  answers: MutationAnswer[];
  /** The server's answers from the first repeated mutation up to the client's last sequence number. */
  earlierAnswers: AnswerWithDigest[];
}

/**
 * Applies the new mutations of a batch, in several transactions if one would take too long. If the batch repeats
 * mutations, the first transaction applies nothing. The transaction runs again once the earlier answers are read.
 */
async function applyBatch(
  { store, queue }: Pick<PushServices, 'store' | 'queue'>,
  account: AccountWriter,
  batch: PushBatch,
): Promise<AppliedBatch | RefusedRequest> {
  const { clientId } = batch;
  const done: Pick<AppliedBatch, 'answers' | 'earlierAnswers'> = { answers: [], earlierAnswers: [] };
  let remaining = batch;
  for (let reads = 0; reads <= answerReadsMax;) {
    const outcome = await queue.write(account, pushUnit(remaining));
    if (!outcome.ok) return outcome;
    switch (outcome.kind) {
      case 'answered': {
        done.answers.push(...outcome.answers);
        done.earlierAnswers.push(...(remaining.earlierAnswers?.answers ?? []));
        if (outcome.unansweredCount === 0) return { ok: true, outcome, ...done };
        // The chain and the earlier answers concern the first mutations, which this transaction has checked.
        const { earlierAnswers: _earlierAnswers, chain: _chain, ...next } = remaining;
        remaining = { ...next, pushed: remaining.pushed.slice(-outcome.unansweredCount) };
        break;
      }
      case 'needs earlier answers': {
        reads += 1;
        const { from, to } = outcome;
        const answers = await store.pushAnswers(account.accountId, { clientId, from, to });
        remaining = { ...remaining, earlierAnswers: { answers, to } };
      }
    }
  }
  throw new StoreUnavailable('the client pushes faster than its answers can be read');
}

/** Returns the answers in the order of the mutations, without the answers up to `ackedSeq`, which the client has. */
function answersInOrder(
  pushed: ParsedMutation[],
  { answers, earlierAnswers }: AppliedBatch,
  ackedSeq: number,
): MutationAnswer[] {
  if (pushed.some(({ seq }) => seq === undefined)) return answers;
  const unacknowledged = earlierAnswers.flatMap(({ digest: _digest, ...answer }) =>
    answer.seq > ackedSeq ? [answer] : [],
  );
  const answerOf = new Map([...unacknowledged, ...answers].map((answer) => [answer.seq, answer]));
  return pushed.flatMap(({ seq }) => (seq === undefined ? [] : (answerOf.get(seq) ?? [])));
}
