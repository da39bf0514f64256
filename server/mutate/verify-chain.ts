/** Tells whether the numbers of a push stand for the same work as before. Pure. */
import { chainDigits, digestText, linkText } from '../../shared/protocol/chain.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { RememberedAnswer } from '../store/rows/push-answers.ts';
import { sha256 } from '../core/hash.ts';
import { hasAtMost } from '../core/validator.ts';

const hash = (text: string): string => sha256(text).slice(0, chainDigits);

/** A mutation of too many values, which no device makes, is digested unsorted: sorting it would take a second. */
export function digestOf(mutation: { name?: unknown; version?: unknown; args?: unknown }): string {
  const { name, version, args } = mutation;
  if (!hasAtMost(mutationValuesMax, args)) return hash(JSON.stringify([name, version, args]));
  try {
    return hash(digestText(mutation));
  } catch {
    // A number such as 1e400 is read as infinite, which no JSON text holds: it counts as the null that JSON writes for it.
    return hash(digestText(JSON.parse(JSON.stringify(mutation))));
  }
}

export const chainAfter = (chain: string, digests: string[]): string =>
  digests.reduce((before, digest) => hash(linkText(before, digest)), chain);

/** A mutation whose number the server has already. */
interface Repeated {
  seq: number;
  digest: string;
  /** The device withdrew its content: a device without a chain may send it so after the server took it whole. */
  isWithdrawn: boolean;
}

interface Agreement {
  /** In the order of their numbers. */
  repeated: Repeated[];
  /** The device's chain before the first; undefined from a device that keeps none. */
  chain: string | undefined;
  /** The answers that the server still has, from the first repeated number on. */
  remembered: RememberedAnswer[];
  server: { lastSeq: number; chain: string };
}

/** Numbers of a push that stand for other work on the server than on the device. */
export interface Disagreement {
  /** No number up to this one is contradicted. */
  agreedSeq: number;
  /** Numbers that are known to stand for other work; empty where only the chains differ. */
  otherSeqs: number[];
}

/** Answers undefined where no number is contradicted. */
export function disagreement({ repeated, chain, remembered, server }: Agreement): Disagreement | undefined {
  const first = repeated[0];
  if (!first) return undefined;
  const digests = new Map(remembered.map(({ seq, digest }) => [seq, digest]));
  const differs = ({ seq, digest, isWithdrawn }: Repeated): boolean => {
    const known = digests.get(seq);
    return known !== undefined && known !== digest && !(isWithdrawn && chain === undefined);
  };
  const otherSeqs = repeated.filter(differs).map(({ seq }) => seq);
  const isForgotten = repeated.some(({ seq }) => digests.get(seq) === undefined);
  const [other] = otherSeqs;
  if (other !== undefined) return { agreedSeq: isForgotten ? first.seq - 1 : other - 1, otherSeqs };
  if (chain === undefined) return undefined;
  const later = remembered.filter(({ seq }) => seq > repeated.at(-1)!.seq);
  const links = [...repeated, ...later];
  // An answer of an earlier server has no digest, so that nothing can be proven across it.
  const isWhole = links.length === server.lastSeq - first.seq + 1 && later.every(({ digest }) => digest !== undefined);
  const chainThen = chainAfter(chain, isWhole ? links.map(({ digest }) => digest!) : []);
  return isWhole && chainThen !== server.chain ? { agreedSeq: first.seq - 1, otherSeqs: [] } : undefined;
}
