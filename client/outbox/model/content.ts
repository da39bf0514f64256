/** The whole content of the outbox. */
import type { DeviceBody } from '../../storage/rows.ts';
import type { DiscardedEntry, ForwardedEntry, OutboxEntry, PendingEntry, ReceiptEntry, RefusedEntry } from './entry.ts';

/**
 * Each list is sorted by sequence number, except `forwarded`: its entries are pushed in the order of `forwardOrder`.
 */
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
