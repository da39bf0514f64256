/**
 * Applies a client's mutations in order, each exactly once, under the account's lock. A very long push takes several
 * transactions.
 */
import type { Refusal } from '../../shared/protocol/problem.ts';
import type { EffectChange } from '../../shared/protocol/effects.ts';
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { countRejections, type ClientRow } from '../store/rows/client-row.ts';
import type { AnswerWithDigest } from '../store/rows/push-answers.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { answerMutations, isRefusal } from './answer-mutations.ts';
import { ChangedRecords } from './changed-records.ts';
import { newSyncClient, saveSyncClientProgress, withAcknowledgement } from './client-progress.ts';
import { findSequenceDifference } from './verify-chain.ts';
import {
  unacknowledgedAnswersRefusal,
  sequenceConflictRefusal,
  sequenceGapRefusal,
  serverAheadRefusal,
  tooManyClientsRefusal,
} from './push-refusals.ts';
import { readSetOf } from './working-set/read-set.ts';
import type { CountedMutation, UnitOfWork } from './unit.ts';

export interface ParsedMutation {
  /** undefined if no mutation of the push has a sequence number; the server then continues the client's numbers. */
  seq: number | undefined;
  /** A refusal if the mutation is invalid, a noop or not allowed. */
  mutation: Mutation | Refusal;
  /** The hash of a recording's target and steps, used to recognize a repeated upload; empty for other mutations. */
  fingerprint: string;
  /** The hash of the mutation in its client's hash chain. The `digest` in a recording's args hashes its steps. */
  digest: string;
  /** The hash of `digest` and `recorded_at`. undefined for a recording and for a refusal. */
  timedDigest: string | undefined;
  /** True for a mutation whose args are empty, such as a noop. */
  hasEmptyArgs: boolean;
}

export interface PushBatch {
  clientId: string;
  deviceId: string | null;
  ackedSeq: number;
  /** The highest number that the client sent before this push; undefined if the client does not say. */
  offeredSeq?: number | undefined;
  /** The device's hash chain before the first mutation of `pushed`; undefined if the device has no chain. */
  chain?: string | undefined;
  /** The version up to which the device has all records; undefined if the device asks for no effects. */
  baseVersion?: number | undefined;
  /** The server's time minus the device's time. Negative if the device's clock is ahead. */
  deviceClockBehindMs: number;
  pushed: ParsedMutation[];
  /**
   * The server's answers from the first repeated mutation to `to`, the client's last sequence number. The answers
   * beyond the repeated mutations serve to compare the hash chain up to its end.
   */
  earlierAnswers?: { answers: AnswerWithDigest[]; to: number };
}

type PushOutcome = AnsweredPush | NeedsEarlierAnswers | RefusedRequest;

export interface AnsweredPush {
  ok: true;
  kind: 'answered';
  lastSeq: number;
  answers: MutationAnswer[];
  /** The highest number whose answer the client has acknowledged. */
  ackedSeq: number;
  /** The number of mutations at the end of `pushed` that the next transaction must apply. */
  unansweredCount: number;
  accountVersion: number;
  /** Present only if the device had the account's current records and all mutations were new. */
  effects?: OwnEffects;
}

/** The changes of a push to records that the device has in their state before the push. */
export interface OwnEffects {
  /** The account's version before the push. */
  after: number;
  at: string;
  chain: string;
  changes: EffectChange[];
}

/**
 * The push is not decided yet. The caller must read the answers to the sequence numbers `from` to `to`, and run the
 * unit again with these answers as `earlierAnswers`.
 */
interface NeedsEarlierAnswers {
  ok: true;
  kind: 'needs earlier answers';
  from: number;
  to: number;
}

export function pushUnit(batch: PushBatch): UnitOfWork<PushOutcome> {
  const { clientId, deviceId, ackedSeq, offeredSeq = Infinity, deviceClockBehindMs, pushed } = batch;
  const mutations = pushed.flatMap(({ mutation }) => (isRefusal(mutation) ? [] : [mutation]));
  return {
    readSet: {
      ...readSetOf(mutations),
      clientIds: [clientId],
      mutationDigests: pushed.flatMap(({ timedDigest }) => timedDigest ?? []),
    },
    run(set, now) {
      const stored = set.clients.get(clientId);
      const clientBefore = stored ?? newSyncClient(clientId, deviceId);
      const client = withAcknowledgement(clientBefore, ackedSeq);
      const newMutations = mutationsAfter(client.last_seq, pushed);
      if (!newMutations) return sequenceGapRefusal(client.last_seq + 1);
      const unfinished = checkRepeatedMutations(batch, client, newMutations.length);
      if (unfinished) return unfinished;
      // A repeated push may arrive late, with an old `offeredSeq`, so the sequence numbers of its mutations count as
      // sent, too.
      const sentSeqMax = Math.max(offeredSeq, pushed.at(-1)?.seq ?? 0);
      if (clientBefore.last_seq > sentSeqMax) return serverAheadRefusal(clientBefore.last_seq, offeredSeq);
      if (newMutations.length > 0) {
        const limit = stored ? undefined : set.clients.exceededClientLimit(deviceId);
        if (limit !== undefined) return tooManyClientsRefusal(limit);
        const unacknowledged = set.clients.unacknowledgedCountsOverLimit(deviceId, {
          rejections: countRejections(clientBefore) - countRejections(client),
          answers: client.acked_seq - clientBefore.acked_seq,
        });
        if (unacknowledged) return unacknowledgedAnswersRefusal(unacknowledged);
      }
      const versionBefore = set.accountVersion();
      const changed = new ChangedRecords(versionBefore);
      const sender = { clientId, deviceId, now, deviceClockBehindMs };
      const answers = answerMutations(set, newMutations, { sender, changed });
      const digests = newMutations.slice(0, answers.length).map(({ digest }) => digest);
      saveSyncClientProgress(set, {
        before: clientBefore,
        client: { ...client, device_id: deviceId, seen_at: now },
        answers,
        digests,
      });
      const isWhole = answers.length > 0 && answers.length === pushed.length && !changed.isIncomplete;
      const chain = set.clients.get(clientId)?.chain ?? client.chain;
      const effects =
        isWhole && batch.baseVersion === versionBefore
          ? { after: versionBefore, at: now, chain, changes: changed.list() }
          : null;
      return {
        ok: true,
        kind: 'answered',
        lastSeq: client.last_seq + answers.length,
        answers,
        ackedSeq: client.acked_seq,
        unansweredCount: newMutations.length - answers.length,
        accountVersion: set.accountVersion(),
        ...(effects ? { effects } : {}),
      };
    },
    countedMutations: (outcome) =>
      outcome.ok && outcome.kind === 'answered' ? countedMutationsOf(pushed, outcome.answers) : [],
  };
}

function countedMutationsOf(pushed: ParsedMutation[], answers: MutationAnswer[]): CountedMutation[] {
  const mutationBySeq = new Map(pushed.map(({ seq, mutation }) => [seq, mutation]));
  return answers.map((answer) => {
    const code = answer.status === 'applied' ? 'applied' : answer.error.code;
    return { name: mutationNameOf(mutationBySeq.get(answer.seq)), code };
  });
}

function mutationNameOf(mutation: Mutation | Refusal | undefined): CountedMutation['name'] {
  if (!mutation) return 'unknown';
  if (!isRefusal(mutation)) return mutation.name;
  return mutation.code === 'withdrawn' ? 'noop' : 'unknown';
}

/**
 * Returns a refusal if device and server have different mutations under a repeated sequence number, or different chains
 * before the new mutations. Returns `NeedsEarlierAnswers` if the answers to the repeated mutations are not loaded.
 */
function checkRepeatedMutations(
  { pushed, chain, earlierAnswers }: PushBatch,
  client: ClientRow,
  newCount: number,
): RefusedRequest | NeedsEarlierAnswers | undefined {
  const server = { lastSeq: client.last_seq, chain: client.chain };
  const repeated = pushed
    .slice(0, pushed.length - newCount)
    .flatMap(({ seq, ...mutation }) => (seq ? [{ seq, ...mutation }] : []));
  const first = repeated[0];
  if (!first) {
    const isOtherChain = newCount > 0 && chain !== undefined && chain !== client.chain;
    return isOtherChain ? sequenceConflictRefusal(server.lastSeq, { kind: 'chain', agreedSeq: 0 }) : undefined;
  }
  if (!earlierAnswers || earlierAnswers.to < server.lastSeq) {
    return { ok: true, kind: 'needs earlier answers', from: first.seq, to: server.lastSeq };
  }
  const conflict = findSequenceDifference({ repeated, chain, earlierAnswers: earlierAnswers.answers, server });
  return conflict && sequenceConflictRefusal(server.lastSeq, conflict);
}

/** Returns the mutations with a number above `lastSeq`; undefined if a number is missing between them. */
function mutationsAfter<Numbered extends { seq: number | undefined }>(
  lastSeq: number,
  pushed: Numbered[],
): (Numbered & { seq: number })[] | undefined {
  const found: (Numbered & { seq: number })[] = [];
  for (const mutation of pushed) {
    const expectedSeq = lastSeq + found.length + 1;
    const seq = mutation.seq ?? expectedSeq;
    if (seq > expectedSeq) return undefined;
    if (seq === expectedSeq) found.push({ ...mutation, seq });
  }
  return found;
}
