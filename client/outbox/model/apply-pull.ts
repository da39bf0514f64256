/** Applies a pull to the content of the outbox. Pure. */
import type { IdGenerator } from '../../core/ids.ts';
import type { OutboxContent } from './content.ts';
import { needsNewIds, giveNewIds } from './dependents/new-ids.ts';
import { resendAll, startNewClient } from './sequence/numbering.ts';
import { dropExpiredReceipts, settlePending, settleForwarded, type PulledState } from './settlement.ts';

interface PullTimes {
  /** The device's time: the `recorded_at` of new mutations. */
  now: string;
  /** The server's time in its latest response; undefined before the first response. */
  serverNow: string | undefined;
}

/**
 * Settles mutations. A new epoch means that the server was restored from a backup. All mutations are then sent again,
 * which is safe because mutations are idempotent.
 */
export function applyPull(
  content: OutboxContent,
  pulled: PulledState,
  { ids, ...times }: PullTimes & { ids: IdGenerator },
): OutboxContent {
  const { epoch, isOfEarlierToken = false, hasRecordCreatedBy = () => false } = pulled;
  const after = giveNewIds(settleAll(content, pulled, times), { ids, recorded_at: times.now, hasRecordCreatedBy });
  const device = { ...after.device, epoch };
  if (hasOtherEpoch(content, epoch)) return resendAll({ ...after, device }, ids.uuid());
  return isOfEarlierToken ? startNewClient({ ...after, device }, ids.uuid()) : { ...after, device };
}

/** Tells whether `applyPull` will assign new numbers. If so, the caller must first read the mutations of other tabs. */
export function willAssignNumbers(content: OutboxContent, pulled: PulledState, times: PullTimes): boolean {
  if (hasOtherEpoch(content, pulled.epoch) || pulled.isOfEarlierToken) return true;
  return settleAll(content, pulled, times).refused.some(needsNewIds);
}

function settleAll(content: OutboxContent, pulled: PulledState, { now, serverNow }: PullTimes): OutboxContent {
  const provenAt = serverNow ?? now;
  const settled = settleForwarded(settlePending(content, pulled, provenAt), pulled, provenAt);
  return dropExpiredReceipts(settled, serverNow);
}

const hasOtherEpoch = ({ device }: OutboxContent, epoch: string): boolean =>
  device.epoch !== null && device.epoch !== epoch;
