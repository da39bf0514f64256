/**
 * Reads the mutations of a push. A mutation may be any JSON value. A broken mutation is refused alone, without the rest
 * of the push.
 *
 *   number ─► size ─► envelope ─► noop? ─► upcast of older args ─► args ─► scope
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { validationRefusal } from '../../shared/domain/outcome.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import { isNoop } from '../../shared/protocol/noop.ts';
import type { Refusal } from '../../shared/protocol/problem.ts';
import { MutationEnvelope, type PushedMutation } from '../../shared/protocol/push.ts';
import type { Scope } from '../../shared/schema/account.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import { upcast } from '../../shared/schema/mutation-versions.ts';
import type { Caller } from '../core/caller.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';
import { createValidator } from '../core/validator.ts';
import type { World } from '../core/world.ts';
import { isRefusal } from '../mutate/answer-mutations.ts';
import { isMutationName, parseMutation } from '../mutate/parse-mutation.ts';
import type { ParsedMutation } from '../mutate/push-unit.ts';
import { recordingFingerprint } from '../mutate/recording-fingerprint.ts';
import { mutationDigestOf, timedDigestOf } from '../mutate/verify-chain.ts';

/** When parsing has taken this long, other requests run before the next mutation is parsed. */
const sliceMsMax = 10;

export async function readMutations(
  mutations: unknown[],
  caller: Pick<Caller, 'scopes'>,
  world: World,
): Promise<ParsedMutation[]> {
  const seqs = seqsOf(mutations);
  const parsed: ParsedMutation[] = [];
  let sliceStartedAt = performance.now();
  for (const [index, pushed] of mutations.entries()) {
    const mutation = parseOrRefuse(pushed, caller, world);
    const digest = sentDigest(pushed) ?? mutationDigestOf(fieldsOfPushed(pushed));
    parsed.push({
      seq: seqs[index],
      mutation,
      fingerprint: isRefusal(mutation) ? '' : recordingFingerprint(mutation),
      digest,
      timedDigest: isIdentifiedByTime(mutation) ? timedDigestOf(fieldsOfPushed(pushed)) : undefined,
      hasEmptyArgs: hasEmptyArgs(pushed),
    });
    if (performance.now() - sliceStartedAt < sliceMsMax) continue;
    await nextTurn();
    sliceStartedAt = performance.now();
  }
  return parsed;
}

/** Returns false for a recording, since its session id identifies it, and for a refusal, since it changes nothing. */
const isIdentifiedByTime = (mutation: Mutation | Refusal): boolean =>
  !isRefusal(mutation) && !isRecordingUpload(mutation);

/**
 * Returns the number of each mutation. If a broken mutation lacks its number, the number is derived from the previous
 * mutation, or from the next one if there is no previous. If all mutations lack numbers, all results are undefined.
 */
function seqsOf(mutations: unknown[]): (number | undefined)[] {
  const sentSeqs = mutations.map((mutation) => {
    const { seq } = fieldsOfPushed(mutation);
    return isSeq(seq) ? seq : undefined;
  });
  const firstIndex = sentSeqs.findIndex((seq) => seq !== undefined);
  const firstSeq = sentSeqs[firstIndex];
  if (firstSeq === undefined) return sentSeqs;
  let previous = firstSeq - firstIndex - 1;
  return sentSeqs.map((seq) => (previous = seq ?? previous + 1));
}

const isSeq = (seq: unknown): seq is number => typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 1;

/** Parses one mutation. Returns the refusal of a mutation that is broken, a noop or not permitted. */
function parseOrRefuse(pushed: unknown, caller: Pick<Caller, 'scopes'>, world: World): Mutation | Refusal {
  if (!hasAtMostValues(pushed, mutationValuesMax)) return tooManyValuesRefusal;
  const envelope = checkEnvelope(pushed);
  if (!envelope.ok) return envelope.error;
  const { name, version } = envelope.value;
  if (isNoop(envelope.value) && hasEmptyArgs(pushed)) return withdrawnRefusal;
  const sentArgs = envelope.value.args as Record<string, unknown>;
  const args = isMutationName(name)
    ? upcast({ name, args: sentArgs, ...(version === undefined ? {} : { version }) })
    : sentArgs;
  if (args === undefined) return unknownArgsVersionRefusal(name, version);
  const parse = parseMutation(name, args, world);
  if (!parse.ok) return parse.error;
  const missing = missingScope(parse.mutation.name, caller.scopes);
  return missing ? scopeRequiredRefusal(missing) : parse.mutation;
}

const checkEnvelope = createValidator(MutationEnvelope);

const tooManyValuesRefusal = validationRefusal([
  { path: '', message: `has more than ${mutationValuesMax} values` },
]).error;

function unknownArgsVersionRefusal(name: string, version: number | undefined): Refusal {
  return validationRefusal([{ path: '/version', message: `${version} of ${name} is newer than this server knows` }])
    .error;
}

/** The server rejects a noop, so that a pull tells the device that no mutation has the noop's sequence number. */
const withdrawnRefusal: Refusal = {
  code: 'withdrawn',
  detail: 'The device withdrew this mutation: its number is used up, and nothing was changed.',
};

/**
 * The scope `write` permits every mutation, and the scope `record` only recordings. REST requests follow the same rule.
 */
function missingScope(name: MutationName, scopes: Scope[]): Scope | undefined {
  if (scopes.includes('write')) return undefined;
  if (!isRecordingUpload({ name })) return 'write';
  return scopes.includes('record') ? undefined : 'record';
}

function scopeRequiredRefusal(scope: Scope): Refusal {
  return { code: 'forbidden', detail: `This needs a token with the scope ${scope}.`, members: { scope } };
}

const fieldsOfPushed = (mutation: unknown): Partial<PushedMutation> =>
  typeof mutation === 'object' && mutation !== null ? mutation : {};

/**
 * Returns the digest that the device sent, if any. The server cannot compute the digest of a noop or of upcast args.
 */
function sentDigest(mutation: unknown): string | undefined {
  const { digest } = fieldsOfPushed(mutation);
  return typeof digest === 'string' && /^[0-9a-f]{32}$/.test(digest) ? digest : undefined;
}

/** Earlier versions of the app sent a noop as empty args under the mutation's own name. */
function hasEmptyArgs(mutation: unknown): boolean {
  const { args } = fieldsOfPushed(mutation);
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0;
}
