/** An id that a device made and another record has needs no person: the mutation is made again with a new one. Pure. */
import type { Ids } from '../../core/ids.ts';
import type { MutationBody } from '../../storage/rows.ts';
import { mutationOf } from './mutation.ts';
import { madeBy } from './references.ts';
import { withNewIds } from '../attention/remedied.ts';
import { replaced, type Appending } from './replacement.ts';
import type { OutboxContent } from './content.ts';

interface Renewal {
  ids: Ids;
  append: Appending;
  /** Whether the very record that the mutation makes is on the server already, brought by another way. */
  stands: (body: MutationBody) => boolean;
}

/** Once for each: what has a new id and is refused for it again, waits for a person like all else. */
export function renewed(content: OutboxContent, { ids, append, stands }: Renewal): OutboxContent {
  let current = content;
  for (const refused of content.refused.filter(isRenewable)) {
    if (stands(refused)) current = { ...current, refused: current.refused.filter((body) => body !== refused) };
    else
      current = replaced(current, {
        refused,
        mutations: [withNewIds(mutationOf(refused), ids)],
        append: marking(append),
      });
  }
  return current;
}

export const isRenewable = (body: MutationBody): boolean =>
  body.error?.code === 'id_taken' && !body.is_renewed && madeBy(body).length > 0;

/** The first is the one with the new id; what follows it has its own chance. */
const marking =
  (append: Appending): Appending =>
  (device, mutations) => {
    const appended = append(device, mutations);
    const [first, ...others] = appended.bodies;
    return { ...appended, bodies: [{ ...first!, is_renewed: true }, ...others] };
  };
