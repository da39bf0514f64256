/** A person's decision on what needs attention. */
import { GembaError } from '../../core/errors.ts';
import { attentionOf, type Attention, type RefusedBody, type Remedy } from './attention.ts';
import type { Outbox } from '../outbox.ts';
import { remedied, type RemedyContext } from './remedied.ts';
import type { Pulled } from '../model/settlement.ts';

/** What needs attention, in the order in which it was made. */
export const attentionsOf = (refused: readonly RefusedBody[]): Attention[] =>
  refused.map((body) => attentionOf(body, refused));

interface Resolving extends RemedyContext {
  outbox: Outbox;
  /** What the pull told last. */
  pulled: Pulled | undefined;
  seq: number;
  remedy: Remedy;
}

/** Sends the work again as the remedy says, or gives it up; either in one transaction with the end of the refusal. */
export async function resolveAttention({ outbox, pulled, seq, remedy, ...context }: Resolving): Promise<void> {
  // What the pull told and the outbox does not have yet counts.
  if (pulled) await outbox.settle(pulled);
  const refused = outbox.refused.find((body) => body.seq === seq);
  if (!refused) throw attentionNotFound(seq);
  const { remedies } = attentionOf(refused, outbox.refused);
  if (!remedies.includes(remedy)) {
    throw new GembaError({ code: 'remedy_unfit', detail: `Here only these help: ${remedies.join(', ')}.` });
  }
  const resolved =
    remedy === 'discard' ? outbox.discard(refused) : outbox.replace(refused, remedied(refused, remedy, context));
  if (!(await resolved)) throw attentionNotFound(seq);
}

/** Brings back what was discarded: it needs attention again. */
export async function restoreChange(outbox: Outbox, seq: number): Promise<void> {
  const discarded = outbox.mutations('discarded').find((body) => body.seq === seq);
  if (!discarded || !(await outbox.restoreChange(discarded))) throw attentionNotFound(seq);
}

function attentionNotFound(seq: number): GembaError {
  return new GembaError({ code: 'attention_not_found', detail: `No mutation ${seq} needs attention.` });
}
