/**
 * Checks that a repeated push has, under each sequence number, the mutation that the server answered. A difference
 * shows a fork: a copied or restored device used the sequence number for another mutation. Pure.
 */
import { chainDigitCount, digestText, nextChainInput } from '../../shared/protocol/chain.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { AnswerWithDigest } from '../store/rows/push-answers.ts';
import { sha256 } from '../core/hash.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';

const chainHash = (text: string): string => sha256(text).slice(0, chainDigitCount);

/**
 * Hashes a mutation with its fields sorted. A mutation with too many values is hashed unsorted, since sorting its
 * values would take a second. No device makes such a mutation.
 */
export function mutationDigestOf(mutation: { name?: unknown; version?: unknown; args?: unknown }): string {
  const { name, version, args } = mutation;
  if (!hasAtMostValues(args, mutationValuesMax)) return chainHash(JSON.stringify([name, version, args]));
  try {
    return chainHash(digestText(mutation));
  } catch {
    // `JSON.parse` reads 1e400 as Infinity, which `digestText` refuses. `JSON.stringify` turns Infinity into null.
    return chainHash(digestText(JSON.parse(JSON.stringify(mutation))));
  }
}

/**
 * Hashes a mutation with its time. Two mutations of different times differ, even if their args are equal. Two copies of
 * a device send one mutation with one time, so its hash is the same.
 */
export const timedDigestOf = (mutation: Parameters<typeof mutationDigestOf>[0] & { recorded_at?: unknown }): string =>
  chainHash(`${mutationDigestOf(mutation)} ${String(mutation.recorded_at)}`);

export const extendChain = (chain: string, digests: string[]): string =>
  digests.reduce((before, digest) => chainHash(nextChainInput(before, digest)), chain);

/** A pushed mutation whose number the server has answered before. */
interface RepeatedMutation {
  seq: number;
  digest: string;
  hasEmptyArgs: boolean;
}

interface PushComparison {
  /** In ascending order of `seq`. */
  repeated: RepeatedMutation[];
  /** The device's chain before the first repeated mutation; undefined if the device has no chain. */
  chain: string | undefined;
  /** The answers that the server still stores, from the number of the first repeated mutation on. */
  earlierAnswers: AnswerWithDigest[];
  server: { lastSeq: number; chain: string };
}

/** The device and the server have different mutations under the same numbers. */
export type SequenceDifference =
  /**
   * Device and server surely agree up to the number `agreedSeq`. Under the numbers in `otherSeqs`, the digests differ.
   */
  | { kind: 'numbers'; agreedSeq: number; otherSeqs: number[] }
  /** Only the chains differ, and no digest is known to differ. `agreedSeq` is 0 if the server does not know it. */
  | { kind: 'chain'; agreedSeq: number };

/** Returns undefined if the digests and chains show no difference. */
export function findSequenceDifference({
  repeated,
  chain,
  earlierAnswers,
  server,
}: PushComparison): SequenceDifference | undefined {
  const first = repeated[0];
  if (!first) return undefined;
  const digestBySeq = new Map(earlierAnswers.map(({ seq, digest }) => [seq, digest]));
  const differs = ({ seq, digest, hasEmptyArgs }: RepeatedMutation): boolean => {
    const answeredDigest = digestBySeq.get(seq);
    // An earlier version of the app sends no chain. It may replace a mutation by a noop with empty args, even if the
    // server has already answered the mutation's sequence number.
    const isAllowed = hasEmptyArgs && chain === undefined;
    return answeredDigest !== undefined && answeredDigest !== digest && !isAllowed;
  };
  const otherSeqs = repeated.filter(differs).map(({ seq }) => seq);
  const hasForgottenAnswers = repeated.some(({ seq }) => digestBySeq.get(seq) === undefined);
  const [firstOther] = otherSeqs;
  if (firstOther !== undefined) {
    return { kind: 'numbers', agreedSeq: hasForgottenAnswers ? first.seq - 1 : firstOther - 1, otherSeqs };
  }
  if (chain === undefined) return undefined;
  const later = earlierAnswers.filter(({ seq }) => seq > repeated.at(-1)!.seq);
  const links = [...repeated, ...later];
  // An earlier version of the server stored answers without a digest. Without all digests, the chain cannot be
  // compared.
  const isWhole = links.length === server.lastSeq - first.seq + 1 && later.every(({ digest }) => digest !== undefined);
  const chainOfBoth = extendChain(chain, isWhole ? links.map(({ digest }) => digest!) : []);
  return isWhole && chainOfBoth !== server.chain ? { kind: 'chain', agreedSeq: first.seq - 1 } : undefined;
}
