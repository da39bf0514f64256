/** Everything that the outbox holds; its pure decisions take and return it. */
import type { DeviceBody } from '../../storage/rows.ts';
import type { DiscardedEntry, ForwardedEntry, OutboxEntry, PendingEntry, ReceiptEntry, RefusedEntry } from './entry.ts';

/** Each list is in the order of its numbers, forwarded entries in that of their positions. */
export interface OutboxContent {
  device: DeviceBody;
  pending: PendingEntry[];
  forwarded: ForwardedEntry[];
  refused: RefusedEntry[];
  receipts: ReceiptEntry[];
  discarded: DiscardedEntry[];
}

export const entriesOf = (content: OutboxContent): OutboxEntry[] => [
  ...content.pending,
  ...content.refused,
  ...content.receipts,
  ...content.discarded,
  ...content.forwarded,
];
