/** A mutation whose id another record has is made again with a new id, without a person. Pure. */
import type { Ids } from '../../../core/ids.ts';
import { withNewIds } from '../../attention/remedied.ts';
import type { OutboxContent } from '../content.ts';
import type { RefusedEntry } from '../entry.ts';
import { mutationOf } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import { madeBy } from './references.ts';
import { replaceRefused } from './replacement.ts';

interface Reassigning {
  ids: Ids;
  recorded_at: string;
  /** Whether the record that the mutation makes is on the server already. */
  stands: (entry: RefusedEntry) => boolean;
}

/** Gives each mutation a new id once: one that is refused for its id again waits for a person. */
export function reassignIds(content: OutboxContent, { ids, recorded_at, stands }: Reassigning): OutboxContent {
  let current = content;
  for (const { rowId } of content.refused.filter(needsNewIds).map((entry) => ({ rowId: rowIdOf(entry) }))) {
    // An earlier replacement may have made it again already, as a dependent.
    const refused = current.refused.find((entry) => rowIdOf(entry) === rowId);
    if (refused)
      current = stands(refused) ? without(current, rowId) : withReassigned(current, refused, { ids, recorded_at });
  }
  return current;
}

export const needsNewIds = (entry: RefusedEntry): boolean =>
  entry.error.code === 'id_taken' && !entry.is_renewed && madeBy(entry).length > 0;

/** Only the mutation with the new id is marked; its dependents may still get theirs. */
function withReassigned(
  content: OutboxContent,
  refused: RefusedEntry,
  { ids, recorded_at }: Omit<Reassigning, 'stands'>,
): OutboxContent {
  const mutations = [withNewIds(mutationOf(refused), ids)];
  const replaced = replaceRefused(content, { refused, mutations, recorded_at });
  const first = replaced.made[0];
  if (!first) return replaced.content;
  const marked = replaced.content.pending.map((entry) =>
    rowIdOf(entry) === rowIdOf(first) ? { ...entry, is_renewed: true } : entry,
  );
  return { ...replaced.content, pending: marked };
}

const without = (content: OutboxContent, rowId: string): OutboxContent => ({
  ...content,
  refused: content.refused.filter((entry) => rowIdOf(entry) !== rowId),
});
