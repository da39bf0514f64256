/** The outbox's whole content; the outbox's pure decisions take a content and return a new one. */
import type { DeviceBody } from '../../storage/rows.ts';
import type { DiscardedEntry, ForwardedEntry, OutboxEntry, PendingEntry, ReceiptEntry, RefusedEntry } from './entry.ts';

/** Each list is in the order of its numbers; forwarded entries are in the order of their positions. */
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
