/** Discards refused mutations, and restores discarded ones. Pure. */
import { isoTime } from '../../core/clock.ts';
import type { OutboxContent } from './content.ts';
import { numberOf, type DiscardedEntry, type RefusedEntry } from './entry.ts';

/**
 * Limits the discarded mutations that the device keeps and, separately, the discarded recordings. The limit is a count,
 * not an age, since the device's clock may be wrong.
 */
export const discardedMax = 20;

export function discard(content: OutboxContent, entry: RefusedEntry, now: string): OutboxContent {
  const discarded: DiscardedEntry = {
    ...entry,
    state: 'discarded',
    discarded_at: timeAfterLastDiscard(content.discarded, now),
  };
  return {
    ...content,
    refused: withoutEntry(content.refused, entry),
    discarded: [...content.discarded, discarded].toSorted(byLatestDiscard).slice(0, discardedMax),
  };
}

export function restoreDiscarded(content: OutboxContent, entry: DiscardedEntry): OutboxContent {
  const { discarded_at: _at, ...rest } = entry;
  const refused: RefusedEntry = { ...rest, state: 'refused' };
  return { ...content, refused: [...content.refused, refused], discarded: withoutEntry(content.discarded, entry) };
}

/** Discards are sorted by time, so each gets a later time than the one before, even if the clock was set back. */
function timeAfterLastDiscard(discarded: DiscardedEntry[], now: string): string {
  const last = Math.max(0, ...discarded.map(discardedAtMsOf));
  return isoTime(Math.max(Date.parse(now), last + 1));
}

const discardedAtMsOf = ({ discarded_at }: DiscardedEntry): number =>
  discarded_at === undefined ? 0 : Date.parse(discarded_at) || 0;

export const byLatestDiscard = (a: DiscardedEntry, b: DiscardedEntry): number =>
  discardedAtMsOf(b) - discardedAtMsOf(a) || numberOf(b) - numberOf(a);

function withoutEntry<Entry extends RefusedEntry | DiscardedEntry>(entries: Entry[], entry: Entry): Entry[] {
  return entries.filter((other) => other.client_id !== entry.client_id || numberOf(other) !== numberOf(entry));
}
