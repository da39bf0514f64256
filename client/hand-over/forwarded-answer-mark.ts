/**
 * Marks the newest answer to forwarded work. The pull after the answer settles this work, so the device must not apply
 * a pull that the server answered earlier: it lacks the effects of the work.
 */
import type { Outbox } from '../outbox/outbox.ts';
import type { HandOverBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { SealedMessage } from './sealed-messages.ts';

const markRowId = 'answered';

/** Returns the row to write; none if a later hand-over is marked. `date` is the server's time in the answer. */
export function forwardedAnswerMark(
  table: Table<HandOverBody>,
  { hand_over }: SealedMessage,
  date: string,
): Row<HandOverBody>[] {
  const mark = table.get(markRowId);
  const isLaterMarked = mark?.kind === 'answered' && mark.hand_over > hand_over;
  return isLaterMarked ? [] : [{ id: markRowId, body: { kind: 'answered', hand_over, date } }];
}

/**
 * Tells whether a pull is older than the marked answer. A later hand-over has the same work before its pull, also if the
 * answer to that work has not arrived yet.
 */
export function isBeforeForwardedAnswer(
  { table, outbox }: { table: Table<HandOverBody>; outbox: Pick<Outbox, 'entries'> },
  { hand_over }: SealedMessage,
  date: string,
): boolean {
  const mark = table.get(markRowId);
  if (mark?.kind !== 'answered' || !outbox.entries('forwarded').some(({ answer }) => answer)) return false;
  if (hand_over !== mark.hand_over) return hand_over < mark.hand_over;
  // A carrier may have delivered the pull of this hand-over although the server declined the push before it.
  return Date.parse(date) < Date.parse(mark.date);
}
