/** A push: one client's mutations, in their order, each exactly once, in one transaction whatever their number. */
import { problemOf, type Problem, type Refusal } from '../../shared/protocol/problem.ts';
import type { MutationAnswer, MutationResult } from '../../shared/protocol/push.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { ClientRow } from '../store/store.ts';
import type { MutationOutcome, Unit } from './account-queue.ts';
import type { RefusedRequest } from './answer.ts';
import { recordingFingerprint } from './fingerprint.ts';
import { mutationResult } from './mutation-result.ts';
import { wantsOf } from './wants.ts';
import type { Origin, WorkingSet } from './working-set.ts';

/**
 * How many rejections a client may leave unacknowledged: a push loads the numbers of all, a pull carries them all in the
 * client's one record. Who has more is told to acknowledge before it goes on.
 */
const rejectionsUnacknowledgedMax = 10_000;

/** One mutation of a push; a broken or forbidden one comes with its refusal. */
export interface Pushed {
  /** undefined: the one that is expected. */
  seq: number | undefined;
  mutation: Mutation | Refusal;
}

interface PushBatch {
  clientId: string;
  deviceId: string | null;
  ackedSeq: number;
  /** The highest number that the client sent before; undefined when it does not say. */
  offeredSeq?: number | undefined;
  /** How far the device's clock is behind, negative when it is ahead. */
  clockBehindMs: number;
  pushed: Pushed[];
}

export interface PushOutcome {
  ok: true;
  /** What was consumed before: the answers up to here are the remembered ones. */
  lastSeqBefore: number;
  lastSeq: number;
  answers: MutationAnswer[];
  version: number;
}

export function pushUnit(batch: PushBatch): Unit<PushOutcome | RefusedRequest> {
  const { clientId, deviceId, ackedSeq, offeredSeq = Infinity, clockBehindMs, pushed } = batch;
  const prepared = pushed.map(({ seq, mutation }) => ({
    seq,
    mutation,
    fingerprint: isRefusal(mutation) ? '' : recordingFingerprint(mutation),
  }));
  const mutations = pushed.flatMap(({ mutation }) => (isRefusal(mutation) ? [] : [mutation]));
  return {
    wants: { ...wantsOf(mutations), clientIds: [clientId] },
    decide(set, now) {
      const before = set.client(clientId) ?? newClient(clientId);
      // A copy of this very push may have come before it.
      const known = Math.max(offeredSeq, pushed.at(-1)?.seq ?? 0);
      if (before.last_seq > known) return reused(before.last_seq, offeredSeq);
      const client = acknowledged(before, ackedSeq);
      const fresh = unseen(prepared, client.last_seq);
      if (!fresh) return gap(client.last_seq + 1);
      const unacknowledged = client.rejections.length;
      if (fresh.length > 0 && unacknowledged > rejectionsUnacknowledgedMax) return acknowledgeFirst(unacknowledged);
      const answers = fresh.map(({ seq, mutation, fingerprint }) =>
        answerTo(set, { seq, mutation }, { deviceId, fingerprint, now, clockBehindMs }),
      );
      keepClient(set, { before, client, answers });
      const lastSeq = client.last_seq + answers.length;
      return { ok: true, lastSeqBefore: client.last_seq, lastSeq, answers, version: set.accountVersion() };
    },
    outcomes: (outcome) => (outcome.ok ? outcomesOf(pushed, outcome.answers) : []),
  };
}

function outcomesOf(pushed: Pushed[], answers: MutationAnswer[]): MutationOutcome[] {
  const mutationOf = new Map(pushed.map(({ seq, mutation }) => [seq, mutation]));
  return answers.map((answer) => {
    const mutation = mutationOf.get(answer.seq);
    const name = mutation && !isRefusal(mutation) ? mutation.name : 'unknown';
    return { name, code: answer.status === 'applied' ? 'applied' : answer.error.code };
  });
}

/** The mutations that follow on `lastSeq` one by one; undefined when one is missing before another. */
function unseen<Numbered extends { seq: number | undefined }>(
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
  if (isRefusal(mutation)) return { seq, status: 'rejected', error: shortProblem(mutation) };
  const effect = set.apply(mutation, origin);
  if (!effect.ok) return { seq, status: 'rejected', error: shortProblem(effect.error) };
  const result: MutationResult = mutationResult(mutation, effect);
  return { seq, status: 'applied', result };
}

const errorsMax = 5;
const textLengthMax = 300;

/** A rejection is kept until it is acknowledged, so that it must not be as large as what was sent. */
function shortProblem({ errors, ...refusal }: Refusal): Problem {
  const detail = refusal.detail.slice(0, textLengthMax);
  const short = errors?.slice(0, errorsMax).map(({ path, message }) => ({
    path: path.slice(0, textLengthMax),
    message: message.slice(0, textLengthMax),
  }));
  return problemOf({ ...refusal, detail, ...(short ? { errors: short } : {}) });
}

/** The client without the rejections up to `ackedSeq`, the highest seq whose answer it says that it has. */
function acknowledged(client: ClientRow, ackedSeq: number): ClientRow {
  // A client knows more than a server that was restored from a backup: nothing is acknowledged before it was answered.
  const acked_seq = Math.max(client.acked_seq, Math.min(ackedSeq, client.last_seq));
  return { ...client, acked_seq, rejections: client.rejections.filter(({ seq }) => seq > acked_seq) };
}

/** Last of all, so that its version lies beyond those of its effects: a pull that has it has them. */
function keepClient(
  set: WorkingSet,
  { before, client, answers }: { before: ClientRow; client: ClientRow; answers: MutationAnswer[] },
): void {
  if (answers.length === 0 && client.acked_seq === before.acked_seq) return;
  const rejected = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [{ seq: answer.seq, error: answer.error }] : [],
  );
  const told = answers.length > 0 || client.rejections.length < before.rejections.length;
  set.putClient({
    ...client,
    last_seq: client.last_seq + answers.length,
    rejections: [...client.rejections, ...rejected],
    // What a pull carries of the client stays the same when only applied mutations are acknowledged.
    version: told ? set.nextVersion() : client.version,
  });
  if (answers.length > 0) set.rememberAnswers(client.client_id, answers);
}

function newClient(clientId: string): ClientRow {
  return { client_id: clientId, version: 0, last_seq: 0, acked_seq: 0, rejections: [] };
}

function gap(expectedSeq: number): RefusedRequest {
  const detail = `The next mutation of this client must have seq ${expectedSeq}; nothing was applied.`;
  return { ok: false, error: { code: 'sequence_gap', detail, members: { expected_seq: expectedSeq } } };
}

function reused(lastSeq: number, offeredSeq: number): RefusedRequest {
  const detail = `This client is at ${lastSeq} here, and sent no more than ${offeredSeq}: its numbers were given before; nothing was applied.`;
  return { ok: false, error: { code: 'sequence_reused', detail, members: { last_seq: lastSeq } } };
}

function acknowledgeFirst(unacknowledged: number): RefusedRequest {
  const detail = `${unacknowledged} rejections wait to be acknowledged by acked_seq; nothing was applied.`;
  return { ok: false, error: { code: 'acknowledge_first', detail, members: { unacknowledged } } };
}

const isRefusal = (mutation: Mutation | Refusal): mutation is Refusal => 'code' in mutation;
