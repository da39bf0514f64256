/** Decides whether the numbers of a push belong to the same mutations as when the server applied them. Pure. */
import { chainDigits, digestText, nextChainText } from '../../shared/protocol/chain.ts';
import { mutationValuesMax } from '../../shared/schema/limits.ts';
import type { RememberedAnswer } from '../store/rows/push-answers.ts';
import { sha256 } from '../core/hash.ts';
import { hasAtMost } from '../core/validator.ts';

const hash = (text: string): string => sha256(text).slice(0, chainDigits);

/**
 * Hashes a mutation. A mutation with too many values is hashed without sorting its fields, since sorting would take a
 * second; no device makes such a mutation.
 */
export function digestOf(mutation: { name?: unknown; version?: unknown; args?: unknown }): string {
  const { name, version, args } = mutation;
  if (!hasAtMost(mutationValuesMax, args)) return hash(JSON.stringify([name, version, args]));
  try {
    return hash(digestText(mutation));
  } catch {
    // `JSON.parse` reads 1e400 as Infinity, which has no JSON text. `JSON.stringify` turns it into null.
    return hash(digestText(JSON.parse(JSON.stringify(mutation))));
  }
}

export const chainAfter = (chain: string, digests: string[]): string =>
  digests.reduce((before, digest) => hash(nextChainText(before, digest)), chain);

/** A pushed mutation whose number the server has already applied. */
interface RepeatedMutation {
  seq: number;
  digest: string;
  /**
   * True if the device withdrew the mutation. A device without a chain may withdraw a mutation that the server has
   * applied.
   */
  isWithdrawn: boolean;
}

interface PushComparison {
  /** In ascending order of their numbers. */
  repeated: RepeatedMutation[];
  /** The device's chain before the first repeated mutation; undefined from a device that keeps no chain. */
  chain: string | undefined;
  /** The answers that the server still stores, from the first repeated number on. */
  remembered: RememberedAnswer[];
  server: { lastSeq: number; chain: string };
}

/** Numbers under which the server applied other mutations than the device sends. */
export interface Disagreement {
  /** Up to this number, nothing shows a difference. */
  agreedSeq: number;
  /** Numbers whose mutations certainly differ; empty if only the chains differ. */
  otherSeqs: number[];
}

/** Returns undefined if nothing shows a difference. */
export function findDisagreement({ repeated, chain, remembered, server }: PushComparison): Disagreement | undefined {
  const first = repeated[0];
  if (!first) return undefined;
  const digests = new Map(remembered.map(({ seq, digest }) => [seq, digest]));
  const differs = ({ seq, digest, isWithdrawn }: RepeatedMutation): boolean => {
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
  // Answers stored by an earlier version of the server have no digest. A chain that includes one of them proves
  // nothing.
  const isWhole = links.length === server.lastSeq - first.seq + 1 && later.every(({ digest }) => digest !== undefined);
  const chainThen = chainAfter(chain, isWhole ? links.map(({ digest }) => digest!) : []);
  return isWhole && chainThen !== server.chain ? { agreedSeq: first.seq - 1, otherSeqs: [] } : undefined;
}
