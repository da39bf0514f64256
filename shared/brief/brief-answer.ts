/**
 * The brief form of the response to a brief push. A response has a brief form only if it has effects and rejects no
 * recording.
 */
import type { PushRequest, PushResponse } from '../protocol/push.ts';
import { restoreHash, timeOfMs, shortenHash, msOfTime } from './short-texts.ts';
import { briefOrUndefined, NoBriefFormError } from './no-brief-form.ts';

interface SentPush {
  request: PushRequest;
  /**
   * The hash chain after the push. The brief form leaves the chain out, since the device knows it: the server refuses a
   * push on another chain, and the check proves that the server has read the device's mutations.
   */
  chain: string;
}

/** `brief` lists the cursor, `effects.after`, the milliseconds from `sent_at` to `effects.at`, and `effects.digest`. */
export interface BriefAnswer {
  brief: unknown[];
}

/** Returns undefined for a response that contains more than the brief form can say. */
export function toBriefAnswer(response: PushResponse, request: PushRequest): BriefAnswer | undefined {
  const { effects, cursor } = response;
  if (!effects) return undefined;
  const { after, at, chain, digest } = effects;
  const brief = briefOrUndefined(() => [cursor, after, msOfTime(at) - msOfTime(request.sent_at), shortenHash(digest)]);
  const isRestored = brief && JSON.stringify(restoreAnswer({ brief }, { request, chain })) === JSON.stringify(response);
  return isRestored ? { brief } : undefined;
}

/** Rebuilds the response. Throws for a list that no server makes. */
export function restoreAnswer({ brief }: BriefAnswer, { request, chain }: SentPush): PushResponse {
  const { acked_seq, mutations, sent_at } = request;
  const [cursor, after, afterSentMs, digest] = brief;
  if (typeof cursor !== 'string' || !Number.isSafeInteger(after)) throw new NoBriefFormError();
  const at = timeOfMs(msOfTime(sent_at) + Number(afterSentMs));
  return {
    results: mutations.map(({ seq }) => ({ seq, status: 'applied' })),
    last_seq: mutations.at(-1)?.seq ?? 0,
    cursor,
    effects: { after: after as number, at, acked_seq, chain, digest: restoreHash(digest) },
  };
}
