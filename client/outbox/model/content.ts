/** Everything that the outbox holds, each list in the order of its numbers; its pure decisions take and return it. */
import type { DeviceBody, MutationBody } from '../../storage/rows.ts';

export interface OutboxContent {
  device: DeviceBody;
  pending: MutationBody[];
  refused: MutationBody[];
  receipts: MutationBody[];
  discarded: MutationBody[];
  /** Work that keeps the numbers of other client ids. */
  carried: MutationBody[];
}
