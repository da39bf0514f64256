/** The list of what needs attention, and a person's decision on one of it. */
import { GembaError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { MutationBody } from '../store/rows.ts';
import type { View } from '../view/view.ts';
import { attentionOf, remedied, type Attention, type Remedy } from './attention.ts';
import type { Outbox } from './outbox.ts';

interface Places {
  view: View;
  outbox: Outbox;
}

/** In the order in which the mutations were made. What the pull just told counts before the outbox has it. */
export function attentions(places: Places): Attention[] {
  return refusedOf(places).map(({ body, error }) => attentionOf(body, error));
}

/** Sends the work again as the remedy says, or gives it up; either in one transaction with the end of the refusal. */
export async function resolveAttention({
  seq,
  remedy,
  ids,
  ...places
}: Places & { seq: number; remedy: Remedy; ids: Ids }): Promise<void> {
  const refused = refusedOf(places).find(({ body }) => body.seq === seq);
  if (!refused) throw attentionNotFound(seq);
  const { remedies } = attentionOf(refused.body, refused.error);
  if (!remedies.includes(remedy)) {
    throw new GembaError({ code: 'remedy_unfit', detail: `Here only these help: ${remedies.join(', ')}.` });
  }
  if (!(await places.outbox.replace(refused.body, remedied(refused.body, remedy, ids)))) throw attentionNotFound(seq);
}

function refusedOf({ view, outbox }: Places): { body: MutationBody; error: Attention['error'] }[] {
  const justTold = (view.client?.rejections ?? []).flatMap(({ seq, error }) => {
    const body = outbox.get(seq);
    return body?.state === 'pending' ? [{ body, error }] : [];
  });
  const kept = outbox.mutations('refused').flatMap((body) => (body.error ? [{ body, error: body.error }] : []));
  return [...kept, ...justTold].toSorted((a, b) => a.body.seq - b.body.seq);
}

function attentionNotFound(seq: number): GembaError {
  return new GembaError({ code: 'attention_not_found', detail: `No mutation ${seq} needs attention.` });
}
