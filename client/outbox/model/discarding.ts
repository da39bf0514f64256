/** What a person gave up, and may want back. Pure. */
import { isoTime } from '../../core/clock.ts';
import type { MutationBody } from '../../storage/rows.ts';
import type { OutboxContent } from './content.ts';

/** How many can be had back, of mutations and of recordings alike. A number, since no clock is trusted. */
export const discardedMax = 20;

export function withDiscarded(content: OutboxContent, body: MutationBody, now: string): OutboxContent {
  const discarded_at = afterLast(content.discarded, now);
  const discarded = [...content.discarded, { ...body, state: 'discarded' as const, discarded_at }];
  const refused = content.refused.filter((other) => other !== body);
  return { ...content, refused, discarded: discarded.toSorted(lastDiscardedFirst).slice(0, discardedMax) };
}

export function withUndiscarded(content: OutboxContent, discarded: MutationBody): OutboxContent {
  const { discarded_at: _at, ...body } = discarded;
  const refused = [...content.refused, { ...body, state: 'refused' as const }];
  return { ...content, refused, discarded: content.discarded.filter((other) => other !== discarded) };
}

/** What was given up last is not the first to be forgotten because a clock went back. */
function afterLast(discarded: MutationBody[], now: string): string {
  const last = Math.max(0, ...discarded.map(({ discarded_at }) => Date.parse(discarded_at ?? '') || 0));
  return isoTime(Math.max(Date.parse(now), last + 1));
}

export const lastDiscardedFirst = (a: MutationBody, b: MutationBody): number =>
  Date.parse(b.discarded_at ?? '') - Date.parse(a.discarded_at ?? '') || b.seq - a.seq;
