/**
 * Applies a client's mutations in order, each exactly once: in one transaction, or in several if the work is too long.
 */
import { problemOf, type Problem, type Refusal } from '../../shared/protocol/problem.ts';
import type { MutationAnswer, MutationResult } from '../../shared/protocol/push.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { chainStart } from '../../shared/protocol/chain.ts';
import type { ClientRow } from '../store/rows/client-row.ts';
import type { RememberedAnswer } from '../store/rows/push-answers.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { mutationResult } from './mutation-result.ts';
import { chainAfter, findDisagreement } from './verify-chain.ts';
import { acknowledgeFirst, sequenceGap, sequenceReused, reusedForOtherWork, tooManyClients } from './push-refusals.ts';
import { readSetOf } from './read-set.ts';
import type { Origin, WorkingSet } from './working-set.ts';
import type { MutationOutcome, Unit } from './unit.ts';

/**
 * Limits the stages and steps that one transaction visits: 80 moves in a map of 5,000 stages. The next transaction
 * takes the rest of the push, and other accounts run in between. No device sends that much at once.
 */
const visitedMax = 400_000;

/** One mutation of a push, or a refusal if the mutation is invalid or not allowed. */
export interface ParsedMutation {
  /** undefined means the number after the one before. */
  seq: number | undefined;
  mutation: Mutation | Refusal;
  /** Identifies the target and steps of a recording; empty for other mutations. */
  fingerprint: string;
  digest: string;
  /** True if the device withdrew the mutation and sends only its number. */
  isWithdrawn: boolean;
}

export interface PushBatch {
  clientId: string;
  deviceId: string | null;
  ackedSeq: number;
  /** The highest number that the client sent before this push; undefined if the client does not send it. */
  offeredSeq?: number | undefined;
  /** The device's hash chain before the first mutation of `pushed`; undefined from a device that keeps no chain. */
  chain?: string | undefined;
  /** How far the device's clock is behind the server's; negative if it is ahead. */
  clockBehindMs: number;
  pushed: ParsedMutation[];
  /** The earlier answers to the numbers from the first of `pushed` up to `to`, which the caller looked up. */
  remembered?: { answers: RememberedAnswer[]; to: number };
}

/** Asks the caller to run the unit again with the answers `from`..`to` as `remembered`. Nothing was applied. */
interface NeedsRemembered {
  ok: 'needs remembered';
  from: number;
  to: number;
}

export interface PushOutcome {
  ok: true;
  lastSeq: number;
  answers: MutationAnswer[];
  /** The highest number whose answer the client has acknowledged. */
  ackedSeq: number;
  /** The number of mutations at the end of `pushed` that are left for the next transaction. */
  left: number;
  version: number;
}

export function pushUnit(batch: PushBatch): Unit<PushOutcome | NeedsRemembered | RefusedRequest> {
  const { clientId, deviceId, ackedSeq, offeredSeq = Infinity, clockBehindMs, pushed } = batch;
  const mutations = pushed.flatMap(({ mutation }) => (isRefusal(mutation) ? [] : [mutation]));
  return {
    readSet: { ...readSetOf(mutations), clientIds: [clientId] },
    decide(set, now) {
      const known = set.clients.get(clientId);
      const before = known ?? newClient(clientId, deviceId);
      const client = withoutAcknowledged(before, ackedSeq);
      const fresh = newMutations(pushed, client.last_seq);
      if (!fresh) return sequenceGap(client.last_seq + 1);
      const other = refuseOtherWork(batch, client, fresh.length);
      if (other) return other;
      // A copy of this same push may have been applied before, so the numbers of this push count as sent, too.
      const lastOffered = Math.max(offeredSeq, pushed.at(-1)?.seq ?? 0);
      if (before.last_seq > lastOffered) return sequenceReused(before.last_seq, offeredSeq);
      if (fresh.length > 0) {
        const limit = known ? undefined : set.clients.exceededLimit(deviceId);
        if (limit !== undefined) return tooManyClients(limit);
        const unacknowledged = set.clients.tooMuchUnacknowledged(deviceId, {
          rejections: before.rejections.length - client.rejections.length,
          answers: client.acked_seq - before.acked_seq,
        });
        if (unacknowledged) return acknowledgeFirst(unacknowledged);
      }
      const answers: MutationAnswer[] = [];
      for (const { seq, mutation, fingerprint } of fresh) {
        if (answers.length > 0 && set.visitedCount > visitedMax) break;
        answers.push(answerTo(set, { seq, mutation }, { deviceId, fingerprint, now, clockBehindMs }));
      }
      const digests = fresh.slice(0, answers.length).map(({ digest }) => digest);
      saveClient(set, { before, client: { ...client, device_id: deviceId, seen_at: now }, answers, digests });
      const lastSeq = client.last_seq + answers.length;
      const left = fresh.length - answers.length;
      return { ok: true, lastSeq, answers, ackedSeq: client.acked_seq, left, version: set.accountVersion() };
    },
    outcomes: (outcome) => (outcome.ok === true ? outcomesOf(pushed, outcome.answers) : []),
  };
}

function outcomesOf(pushed: ParsedMutation[], answers: MutationAnswer[]): MutationOutcome[] {
  const mutationOf = new Map(pushed.map(({ seq, mutation }) => [seq, mutation]));
  return answers.map((answer) => {
    const code = answer.status === 'applied' ? 'applied' : answer.error.code;
    return { name: nameOf(mutationOf.get(answer.seq)), code };
  });
}

function nameOf(mutation: Mutation | Refusal | undefined): MutationOutcome['name'] {
  if (!mutation) return 'unknown';
  if (!isRefusal(mutation)) return mutation.name;
  return mutation.code === 'withdrawn' ? 'noop' : 'unknown';
}

/**
 * Refuses numbers under which the server applied other mutations than the device sends now. Asks for the earlier
 * answers if it needs them to decide.
 */
function refuseOtherWork(
  { pushed, chain, remembered }: PushBatch,
  client: ClientRow,
  freshCount: number,
): RefusedRequest | NeedsRemembered | undefined {
  const server = { lastSeq: client.last_seq, chain: client.chain };
  const repeated = pushed
    .slice(0, pushed.length - freshCount)
    .flatMap(({ seq, ...one }) => (seq ? [{ seq, ...one }] : []));
  const first = repeated[0];
  if (!first) {
    const isOther = freshCount > 0 && chain !== undefined && chain !== client.chain;
    return isOther ? reusedForOtherWork(server.lastSeq, { agreedSeq: 0, otherSeqs: [] }) : undefined;
  }
  if (!remembered || remembered.to < server.lastSeq) {
    return { ok: 'needs remembered', from: first.seq, to: server.lastSeq };
  }
  const found = findDisagreement({ repeated, chain, remembered: remembered.answers, server });
  return found && reusedForOtherWork(server.lastSeq, found);
}

/** Returns the mutations of the batch after `lastSeq` if their numbers are consecutive; undefined if there is a gap. */
function newMutations<Numbered extends { seq: number | undefined }>(
  batch: Numbered[],
  lastSeq: number,
): (Numbered & { seq: number })[] | undefined {
  const fresh: (Numbered & { seq: number })[] = [];
  for (const one of batch) {
    const expected = lastSeq + fresh.length + 1;
    const seq = one.seq ?? expected;
    if (seq > expected) return undefined;
    if (seq === expected) fresh.push({ ...one, seq });
  }
  return fresh;
}

function answerTo(
  set: WorkingSet,
  { seq, mutation }: { seq: number; mutation: Mutation | Refusal },
  origin: Origin,
): MutationAnswer {
  if (isRefusal(mutation)) return { seq, status: 'rejected', error: shortenProblem(mutation) };
  const effect = set.apply(mutation, origin);
  if (!effect.ok) return { seq, status: 'rejected', error: shortenProblem(effect.error) };
  const result: MutationResult = mutationResult(mutation, effect);
  return { seq, status: 'applied', result };
}

const errorsMax = 5;
const textLengthMax = 300;

/**
 * Shortens a rejection before it is stored until the client acknowledges it, since its texts may be as long as the
 * mutation.
 */
function shortenProblem({ errors, ...refusal }: Refusal): Problem {
  const detail = refusal.detail.slice(0, textLengthMax);
  const short = errors?.slice(0, errorsMax).map(({ path, message }) => ({
    path: path.slice(0, textLengthMax),
    message: message.slice(0, textLengthMax),
  }));
  return problemOf({ ...refusal, detail, ...(short ? { errors: short } : {}) });
}

/**
 * Removes the rejections that the client acknowledges. `ackedSeq` is the highest number whose answer the client has.
 */
function withoutAcknowledged(client: ClientRow, ackedSeq: number): ClientRow {
  // After a restore from a backup, a client may acknowledge numbers that this server does not have.
  const acked_seq = Math.max(client.acked_seq, Math.min(ackedSeq, client.last_seq));
  return { ...client, acked_seq, rejections: client.rejections.filter(({ seq }) => seq > acked_seq) };
}

/**
 * Saves the client after all its mutations, so that its version is the highest. A pull that returns the client's
 * progress therefore has returned the changes of its mutations, too.
 */
function saveClient(
  set: WorkingSet,
  {
    before,
    client,
    answers,
    digests,
  }: { before: ClientRow; client: ClientRow; answers: MutationAnswer[]; digests: string[] },
): void {
  if (answers.length === 0 && client.acked_seq === before.acked_seq) return;
  const rejected = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [{ seq: answer.seq, error: answer.error }] : [],
  );
  const hasNews = answers.length > 0 || client.rejections.length < before.rejections.length;
  set.clients.put({
    ...client,
    last_seq: client.last_seq + answers.length,
    chain: chainAfter(client.chain, digests),
    rejections: [...client.rejections, ...rejected],
    // The version stays if only applied mutations are acknowledged, since a pull would show nothing new about the
    // client.
    version: hasNews ? set.nextVersion() : client.version,
  });
  if (answers.length === 0) return;
  set.rememberAnswers(
    client.client_id,
    answers.map((answer, index) => ({ ...answer, digest: digests[index]! })),
  );
}

function newClient(clientId: string, deviceId: string | null): ClientRow {
  return {
    client_id: clientId,
    device_id: deviceId,
    seen_at: null,
    version: 0,
    last_seq: 0,
    acked_seq: 0,
    chain: chainStart,
    rejections: [],
  };
}

const isRefusal = (mutation: Mutation | Refusal): mutation is Refusal => 'code' in mutation;
