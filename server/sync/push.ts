/** `POST /sync/push` applies each mutation of a device exactly once and returns one answer for each, new or remembered. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isNoop } from '../../shared/protocol/noop.ts';
import type { Refusal } from '../../shared/protocol/problem.ts';
import {
  MutationEnvelope,
  type MutationAnswer,
  type PushedMutation,
  type PushRequest,
  type PushResponse,
} from '../../shared/protocol/push.ts';
import type { Scope } from '../../shared/schema/account.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import { upcast } from '../../shared/schema/mutation-versions.ts';
import { invalid } from '../../shared/domain/outcome.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import { recordingFingerprint } from '../mutate/recording-fingerprint.ts';
import { isMutationName, isRecording, parseMutation } from '../mutate/parse-mutation.ts';
import { pushUnit, type AppliedPush, type ParsedMutation, type PushBatch } from '../mutate/push-unit.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { hasAtMost, validator } from '../core/validator.ts';
import { digestOf } from '../mutate/verify-chain.ts';
import type { World } from '../core/world.ts';
import type { AccountToken } from '../mutate/token-check.ts';
import { StoreUnavailable, type ClientOwner, type Store } from '../store/store.ts';
import type { RememberedAnswer } from '../store/rows/push-answers.ts';
import type { ClientOwners } from './client-owners.ts';
import { accountRefusal } from './account-refusal.ts';
import { cursorText } from './cursor.ts';

interface SyncCaller extends ClientOwner {
  scopes: Scope[];
  tokenHash: string;
}

interface PushServices {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  world: World;
}

export async function push(
  { store, queue, owners, world }: PushServices,
  caller: SyncCaller,
  request: PushRequest,
): Promise<{ ok: true; response: PushResponse } | RefusedRequest> {
  const clientId = request.client_id.toLowerCase();
  const mismatch = accountRefusal(request.account_id, caller);
  if (mismatch) return mismatch;
  const claim = await owners.claim(clientId, { ...caller, carried: request.carried });
  if (!claim.ok) return claim;

  const { deviceId } = caller;
  const pushed = await readMutations(request.mutations, caller, world);
  const clockBehindMs = clockBehind(request, world.now());
  const batch = {
    clientId,
    deviceId,
    ackedSeq: request.acked_seq,
    offeredSeq: request.offered_seq,
    chain: request.chain,
    clockBehindMs,
    pushed,
  };
  const written = await writeOnce({ store, queue }, caller, batch);
  const isUnused = !written.ok || written.outcome.lastSeq === 0;
  // Another push of this client may have been applied meanwhile.
  const isFree = claim.isNew && isUnused && !(await hasPushedBefore(store, caller, clientId));
  if (isFree) await owners.release(clientId, caller);
  if (!written.ok) return written;
  const { lastSeq, version } = written.outcome;
  const results = resultsOf(pushed, written, request.carried ? 0 : written.outcome.ackedSeq);
  return { ok: true, response: { results, last_seq: lastSeq, cursor: cursorText({ version }) } };
}

async function hasPushedBefore(store: Store, { accountId }: SyncCaller, clientId: string): Promise<boolean> {
  return (await store.pushAnswers(accountId, { clientId, from: 1, to: 1 })).length > 0;
}

/** A push is parsed in slices of this time, so that other requests can run in between. */
const sliceMsMax = 10;

/** Parses mutations, each of which may be any JSON value. */
export async function readMutations(
  mutations: unknown[],
  caller: Pick<SyncCaller, 'scopes'>,
  world: World,
): Promise<ParsedMutation[]> {
  const seqs = seqsOf(mutations);
  const pushed: ParsedMutation[] = [];
  let since = performance.now();
  for (const [index, one] of mutations.entries()) {
    const mutation = parseOrRefuse(one, caller, world);
    pushed.push({
      seq: seqs[index],
      mutation,
      fingerprint: 'code' in mutation ? '' : recordingFingerprint(mutation),
      digest: sentDigest(one) ?? digestOf(fieldsOf(one)),
      isWithdrawn: isWithdrawn(one),
    });
    if (performance.now() - since < sliceMsMax) continue;
    await nextTurn();
    since = performance.now();
  }
  return pushed;
}

/** A smaller difference counts as a correct clock, since a push may take long to arrive. */
const clockSkewMsMax = 60_000;

/** Returns 0 if the device's clock is right or not given. */
function clockBehind({ sent_at }: PushRequest, nowMs: number): number {
  const behindMs = sent_at === undefined ? 0 : nowMs - Date.parse(sent_at);
  return Math.abs(behindMs) > clockSkewMsMax ? behindMs : 0;
}

/** Limits the reads of remembered answers. Parallel copies of one push can make each read incomplete. */
const rememberedReadsMax = 20;

interface Written {
  ok: true;
  /** The outcome of the last transaction. */
  outcome: AppliedPush;
  answers: MutationAnswer[];
  remembered: RememberedAnswer[];
}

/**
 * Applies the new mutations of a batch, in several transactions if necessary. For mutations that were answered before, it
 * reads the remembered answers and compares their digests with the pushed mutations.
 */
async function writeOnce(
  { store, queue }: Pick<PushServices, 'store' | 'queue'>,
  writer: AccountToken,
  batch: PushBatch,
): Promise<Written | RefusedRequest> {
  const { clientId } = batch;
  const written: Pick<Written, 'answers' | 'remembered'> = { answers: [], remembered: [] };
  let remaining = batch;
  for (let reads = 0; reads <= rememberedReadsMax;) {
    const outcome = await queue.write(writer, pushUnit(remaining));
    if (!outcome.ok) return outcome;
    switch (outcome.kind) {
      case 'applied': {
        written.answers.push(...outcome.answers);
        written.remembered.push(...(remaining.earlierAnswers?.answers ?? []));
        if (outcome.unappliedCount === 0) return { ok: true, outcome, ...written };
        const { earlierAnswers: _earlierAnswers, chain: _chain, ...next } = remaining;
        remaining = { ...next, pushed: remaining.pushed.slice(-outcome.unappliedCount) };
        break;
      }
      case 'needs earlier answers': {
        reads += 1;
        const { from, to } = outcome;
        const answers = await store.pushAnswers(writer.accountId, { clientId, from, to });
        remaining = { ...remaining, earlierAnswers: { answers, to } };
      }
    }
  }
  throw new StoreUnavailable('the client pushes faster than its answers can be read');
}

/** Returns the answers in the order of the mutations, without those that the client acknowledged (up to `ackedSeq`). */
function resultsOf(pushed: ParsedMutation[], { answers, remembered }: Written, ackedSeq: number): MutationAnswer[] {
  if (pushed.some(({ seq }) => seq === undefined)) return answers;
  const before = remembered.flatMap(({ digest: _digest, ...answer }) => (answer.seq > ackedSeq ? [answer] : []));
  const answerOf = new Map([...before, ...answers].map((one) => [one.seq, one]));
  return pushed.flatMap(({ seq }) => (seq === undefined ? [] : (answerOf.get(seq) ?? [])));
}

/**
 * Returns the sequence number of each mutation. A broken mutation without a number gets the number after its predecessor's,
 * or, at the front, before its successor's. If no mutation has a number, all are undefined and follow the client's last.
 */
function seqsOf(mutations: unknown[]): (number | undefined)[] {
  const given = mutations.map((mutation) => {
    const { seq } = fieldsOf(mutation);
    return isSeq(seq) ? seq : undefined;
  });
  const first = given.findIndex((seq) => seq !== undefined);
  const firstSeq = given[first];
  if (firstSeq === undefined) return given;
  let previous = firstSeq - first - 1;
  return given.map((seq) => (previous = seq ?? previous + 1));
}

const isSeq = (seq: unknown): seq is number => typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 1;

/** Parses one mutation, or returns the refusal of a mutation that is broken or not permitted. */
function parseOrRefuse(pushed: unknown, caller: Pick<SyncCaller, 'scopes'>, world: World): Mutation | Refusal {
  if (!hasAtMost(mutationValuesMax, pushed)) return tooManyValues;
  const envelope = checkEnvelope(pushed);
  if (!envelope.ok) return envelope.error;
  const { name, version } = envelope.value;
  if (isNoop(envelope.value) && isWithdrawn(pushed)) return withdrawn;
  const given = envelope.value.args as Record<string, unknown>;
  const args = isMutationName(name)
    ? upcast({ name, args: given, ...(version === undefined ? {} : { version }) })
    : given;
  if (args === undefined) return newerThanServer(name, version).error;
  const parse = parseMutation(name, args, world);
  if (!parse.ok) return parse.error;
  const missing = missingScope(parse.mutation.name, caller.scopes);
  return missing ? forbidden(missing) : parse.mutation;
}

const tooManyValues = invalid([{ path: '', message: `has more than ${mutationValuesMax} values` }]).error;

function newerThanServer(name: string, version: number | undefined): RefusedRequest {
  return invalid([{ path: '/version', message: `${version} of ${name} is newer than this server knows` }]);
}

/** A noop is rejected rather than applied, so that a pull tells the device that the number has no mutation. */
const withdrawn: Refusal = {
  code: 'withdrawn',
  detail: 'The device withdrew this mutation: its number is used up, and nothing was changed.',
};

const checkEnvelope = validator(MutationEnvelope);

/** The scope `write` permits every mutation, `record` only recordings, as over REST. */
function missingScope(name: MutationName, scopes: Scope[]): Scope | undefined {
  if (scopes.includes('write')) return undefined;
  if (!isRecording(name)) return 'write';
  return scopes.includes('record') ? undefined : 'record';
}

function forbidden(scope: Scope): Refusal {
  return { code: 'forbidden', detail: `This needs a token with the scope ${scope}.`, members: { scope } };
}

const fieldsOf = (mutation: unknown): Partial<PushedMutation> =>
  typeof mutation === 'object' && mutation !== null ? mutation : {};

/** Returns the digest that the device sent. The device computed it when it made the mutation, before any upcast. */
function sentDigest(mutation: unknown): string | undefined {
  const { digest } = fieldsOf(mutation);
  return typeof digest === 'string' && /^[0-9a-f]{32}$/.test(digest) ? digest : undefined;
}

/** Empty args withdraw a mutation under any name, since older devices sent them instead of a noop. */
function isWithdrawn(mutation: unknown): boolean {
  const { args } = fieldsOf(mutation);
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0;
}
