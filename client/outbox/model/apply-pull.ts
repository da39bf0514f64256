/** Computes the outbox's content after a pull. Pure. */
import type { IdGenerator } from '../../core/ids.ts';
import type { OutboxContent } from './content.ts';
import { needsNewIds, giveNewIds } from './dependents/new-ids.ts';
import { resendAll, startNewClient } from './sequence/numbering.ts';
import { dropOldReceipts, settlePending, settleForwarded, type PulledState } from './settlement.ts';

interface PullTimes {
  /** The device's time, which dates new mutations. */
  now: string;
  /** The server's time in its latest response; undefined before the first response. */
  serverNow: string | undefined;
}

/**
 * Settles mutations, and makes those again with new ids whose ids another record has. After the server was restored from a
 * backup, everything gets new numbers and is sent again; idempotency makes that safe.
 */
export function applyPull(
  content: OutboxContent,
  pulled: PulledState,
  { ids, ...times }: PullTimes & { ids: IdGenerator },
): OutboxContent {
  const { epoch, isOfEarlierToken = false, hasRecordOf = () => false } = pulled;
  const after = giveNewIds(settleAll(content, pulled, times), { ids, recorded_at: times.now, hasRecordOf });
  const device = { ...after.device, epoch };
  if (hasOtherEpoch(content, epoch)) return resendAll({ ...after, device }, ids.uuid());
  return isOfEarlierToken ? startNewClient({ ...after, device }, ids.uuid()) : { ...after, device };
}

/** Whether `takePull` will assign new numbers: the caller then reads the mutations of other tabs first. */
export function willAssignNumbers(content: OutboxContent, pulled: PulledState, times: PullTimes): boolean {
  if (hasOtherEpoch(content, pulled.epoch) || pulled.isOfEarlierToken) return true;
  return settleAll(content, pulled, times).refused.some(needsNewIds);
}

function settleAll(content: OutboxContent, pulled: PulledState, { now, serverNow }: PullTimes): OutboxContent {
  const acknowledgedAt = serverNow ?? now;
  const settled = settleForwarded(settlePending(content, pulled, acknowledgedAt), pulled, acknowledgedAt);
  return dropOldReceipts(settled, serverNow);
}

const hasOtherEpoch = ({ device }: OutboxContent, epoch: string): boolean =>
  device.epoch !== null && device.epoch !== epoch;
