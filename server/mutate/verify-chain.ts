/**
 * Checks that a repeated push has the same mutations that the server answered under these numbers. A difference shows a
 * fork: a copied or restored device used the numbers for other mutations. Pure.
 */
import { chainDigits, digestText, nextChainText } from '../../shared/protocol/chain.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { AnswerWithDigest } from '../store/rows/push-answers.ts';
import { sha256 } from '../core/hash.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';

const chainHash = (text: string): string => sha256(text).slice(0, chainDigits);

/**
 * Hashes a mutation with its fields sorted. A mutation with too many values is hashed unsorted, since sorting them
 * would take a second. No device makes such a mutation.
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
 * Hashes a mutation with its time, so that equal mutations of different times differ. Copies of a device have the same
 * times.
 */
export const timedDigestOf = (mutation: Parameters<typeof mutationDigestOf>[0] & { recorded_at?: unknown }): string =>
  chainHash(`${mutationDigestOf(mutation)} ${String(mutation.recorded_at)}`);

export const extendChain = (chain: string, digests: string[]): string =>
  digests.reduce((before, digest) => chainHash(nextChainText(before, digest)), chain);

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
   * `agreedSeq` is the number up to which device and server surely agree, `otherSeqs` are those whose digests differ.
   */
  | { kind: 'numbers'; agreedSeq: number; otherSeqs: number[] }
  /** The digests are equal or unknown, and only the chains differ. `agreedSeq` is 0 if the server cannot tell it. */
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
    // An earlier version of the app sends no chain, and may empty a mutation whose number the server has already
    // answered.
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
