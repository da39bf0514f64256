/**
 * Marks the newest answer to forwarded work. The next pull settles this work. A pull that the server answered before
 * the push of the work lacks the effects of the work, so the device must not apply such a pull.
 */
import type { Outbox } from '../outbox/outbox.ts';
import type { HandOverBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { SealedMessage } from './sealed-messages.ts';

const markRowId = 'answered';

/**
 * Returns the row that marks the answer to this message as the newest answer. Returns no row if the table already marks
 * an answer to a later hand-over. `date` is the server's time in the answer.
 */
export function forwardedMarkRows(
  table: Table<HandOverBody>,
  { hand_over }: SealedMessage,
  date: string,
): Row<HandOverBody>[] {
  const mark = table.get(markRowId);
  const isLaterMarked = mark?.kind === 'answered' && mark.hand_over > hand_over;
  return isLaterMarked ? [] : [{ id: markRowId, body: { kind: 'answered', hand_over, date } }];
}

/**
 * Tells whether the server answered this pull before it gave the marked answer. A pull of a later hand-over is newer
 * than the marked answer, since a later hand-over pushes the same work before its pull.
 */
export function isBeforeForwardedAnswer(
  { table, outbox }: { table: Table<HandOverBody>; outbox: Pick<Outbox, 'entries'> },
  { hand_over }: SealedMessage,
  date: string,
): boolean {
  const mark = table.get(markRowId);
  if (mark?.kind !== 'answered' || !outbox.entries('forwarded').some(({ answer }) => answer)) return false;
  if (hand_over !== mark.hand_over) return hand_over < mark.hand_over;
  // The marked answer and this pull are of one hand-over. The server may have declined the push at first, answered the
  // pull, and accepted the push last. The pull is then older than the marked answer, so compare their times.
  return Date.parse(date) < Date.parse(mark.date);
}
