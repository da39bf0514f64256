/** `POST /sync/push`: each mutation of a device becomes exactly one answer, now or remembered. */
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
import { pushUnit, type Pushed, type PushBatch, type PushOutcome } from '../mutate/push-unit.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { hasAtMost, validator } from '../core/validator.ts';
import { digestOf } from '../mutate/verify-chain.ts';
import type { World } from '../core/world.ts';
import type { Writer } from '../mutate/writer.ts';
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
  const foreign = accountRefusal(request.account_id, caller);
  if (foreign) return foreign;
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
  // Another push of the client, or an earlier transaction of this one, may have been applied.
  const isFree = claim.isNew && isUnused && !(await isBegun(store, caller, clientId));
  if (isFree) await owners.release(clientId, caller);
  if (!written.ok) return written;
  const { lastSeq, version } = written.outcome;
  const results = resultsOf(pushed, written, request.carried ? 0 : written.outcome.ackedSeq);
  return { ok: true, response: { results, last_seq: lastSeq, cursor: cursorText({ version }) } };
}

async function isBegun(store: Store, { accountId }: SyncCaller, clientId: string): Promise<boolean> {
  return (await store.pushAnswers(accountId, { clientId, from: 1, to: 1 })).length > 0;
}

/** So long a push is read before others have their turn. */
const sliceMsMax = 10;

/** Each may be anything. */
export async function readMutations(
  mutations: unknown[],
  caller: Pick<SyncCaller, 'scopes'>,
  world: World,
): Promise<Pushed[]> {
  const seqs = seqsOf(mutations);
  const pushed: Pushed[] = [];
  let since = performance.now();
  for (const [index, one] of mutations.entries()) {
    const mutation = parsed(one, caller, world);
    pushed.push({
      seq: seqs[index],
      mutation,
      fingerprint: 'code' in mutation ? '' : recordingFingerprint(mutation),
      digest: digestGiven(one) ?? digestOf(fieldsOf(one)),
      isWithdrawn: isWithdrawn(one),
    });
    if (performance.now() - since < sliceMsMax) continue;
    await nextTurn();
    since = performance.now();
  }
  return pushed;
}

/** A push may take its time to get here: below this a clock counts as right. */
const clockSkewMsMax = 60_000;

/** 0 where the device's clock is right, or not told. */
function clockBehind({ sent_at }: PushRequest, nowMs: number): number {
  const behindMs = sent_at === undefined ? 0 : nowMs - Date.parse(sent_at);
  return Math.abs(behindMs) > clockSkewMsMax ? behindMs : 0;
}

/** Copies of one push that arrive at once may each find more answered than the last time. */
const rememberedReadsMax = 20;

interface Written {
  ok: true;
  /** The outcome of the last transaction. */
  outcome: PushOutcome;
  answers: MutationAnswer[];
  remembered: RememberedAnswer[];
}

/**
 * Applies what is new, and only it: what was answered before is read first, and held against what is pushed now. What is too
 * much for one transaction goes on in the next.
 */
async function writeOnce(
  { store, queue }: Pick<PushServices, 'store' | 'queue'>,
  writer: Writer,
  batch: PushBatch,
): Promise<Written | RefusedRequest> {
  const { clientId } = batch;
  const written = { answers: [] as MutationAnswer[], remembered: [] as RememberedAnswer[] };
  let rest = batch;
  for (let reads = 0; reads <= rememberedReadsMax;) {
    const outcome = await queue.write(writer, pushUnit(rest));
    if (outcome.ok === false) return outcome;
    if (outcome.ok === true) {
      written.answers.push(...outcome.answers);
      written.remembered.push(...(rest.remembered?.answers ?? []));
      if (outcome.left === 0) return { ok: true, outcome, ...written };
      const { remembered: _remembered, chain: _chain, ...next } = rest;
      rest = { ...next, pushed: rest.pushed.slice(-outcome.left) };
    } else {
      reads += 1;
      const { from, to } = outcome;
      const answers = await store.pushAnswers(writer.accountId, { clientId, from, to });
      rest = { ...rest, remembered: { answers, to } };
    }
  }
  throw new StoreUnavailable('the client pushes faster than its answers can be read');
}

/** Answers that the client acknowledged are left out; who carries its work on has them as long as they are kept. */
function resultsOf(pushed: Pushed[], { answers, remembered }: Written, ackedSeq: number): MutationAnswer[] {
  if (pushed.some(({ seq }) => seq === undefined)) return answers;
  const before = remembered.flatMap(({ digest: _digest, ...answer }) => (answer.seq > ackedSeq ? [answer] : []));
  const answerOf = new Map([...before, ...answers].map((one) => [one.seq, one]));
  return pushed.flatMap(({ seq }) => answerOf.get(seq!) ?? []);
}

/**
 * The number of each mutation. A broken one without a number takes the one after its predecessor or, in front, before its
 * successor. Where none has one they are undefined, and follow on what the client is at.
 */
function seqsOf(mutations: unknown[]): (number | undefined)[] {
  const given = mutations.map((mutation) => {
    const seq = (mutation as Partial<PushedMutation> | null)?.seq;
    return isSeq(seq) ? seq : undefined;
  });
  const first = given.findIndex((seq) => seq !== undefined);
  if (first === -1) return given;
  let previous = given[first]! - first - 1;
  return given.map((seq) => (previous = seq ?? previous + 1));
}

const isSeq = (seq: unknown): seq is number => Number.isSafeInteger(seq) && (seq as number) >= 1;

/** A mutation that is broken, or that the caller may not do, is rejected by itself. */
function parsed(pushed: unknown, caller: Pick<SyncCaller, 'scopes'>, world: World): Mutation | Refusal {
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

/** Rejecting a noop, rather than applying it, tells the device in each pull that the number stands for no work. */
const withdrawn: Refusal = {
  code: 'withdrawn',
  detail: 'The device withdrew this mutation: its number is used up, and nothing was changed.',
};

const checkEnvelope = validator(MutationEnvelope);

/** A token that may record may record, and no more; one that may write may do all, as over REST. */
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

/** The digest that the device kept of the shape in which it made the mutation. */
function digestGiven(mutation: unknown): string | undefined {
  const { digest } = fieldsOf(mutation);
  return typeof digest === 'string' && /^[0-9a-f]{32}$/.test(digest) ? digest : undefined;
}

/** Empty args withdraw the content under every name: devices sent them before there was a noop. */
function isWithdrawn(mutation: unknown): boolean {
  const { args } = fieldsOf(mutation);
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0;
}
