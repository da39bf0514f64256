/** Everything that the outbox holds, each list in the order of its numbers: what its pure decisions take and give. */
import type { DeviceBody, MutationBody } from '../store/rows.ts';

export interface OutboxContent {
  device: DeviceBody;
  pending: MutationBody[];
  refused: MutationBody[];
  receipts: MutationBody[];
  discarded: MutationBody[];
  /** Made under other client ids, with their numbers. */
  carried: MutationBody[];
}
