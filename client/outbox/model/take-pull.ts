/** Computes the outbox's content after a pull. Pure. */
import type { Ids } from '../../core/ids.ts';
import type { OutboxContent } from './content.ts';
import { needsNewIds, reassignIds } from './dependents/renewal.ts';
import { resendAll, startNewClient } from './sequence/numbering.ts';
import { dropOldReceipts, settle, settleForwarded, type Pulled } from './settlement.ts';

interface Times {
  /** The device's time, which dates new mutations. */
  now: string;
  /** The server's time in its latest response; undefined before the first response. */
  serverNow: string | undefined;
}

/**
 * Settles mutations, and makes those again with new ids whose ids another record has. After the server was restored from a
 * backup, everything gets new numbers and is sent again; idempotency makes that safe.
 */
export function takePull(
  content: OutboxContent,
  pulled: Pulled,
  { ids, ...times }: Times & { ids: Ids },
): OutboxContent {
  const { epoch, ofEarlierToken = false, hasRecordOf = () => false } = pulled;
  const after = reassignIds(settledBy(content, pulled, times), { ids, recorded_at: times.now, hasRecordOf });
  const device = { ...after.device, epoch };
  if (isOtherStore(content, epoch)) return resendAll({ ...after, device }, ids.uuid());
  return ofEarlierToken ? startNewClient({ ...after, device }, ids.uuid()) : { ...after, device };
}

/** Whether `takePull` will assign new numbers: the caller then reads the mutations of other tabs first. */
export function willNumber(content: OutboxContent, pulled: Pulled, times: Times): boolean {
  if (isOtherStore(content, pulled.epoch) || pulled.ofEarlierToken) return true;
  return settledBy(content, pulled, times).refused.some(needsNewIds);
}

function settledBy(content: OutboxContent, pulled: Pulled, { now, serverNow }: Times): OutboxContent {
  const acknowledgedAt = serverNow ?? now;
  const settled = settleForwarded(settle(content, pulled, acknowledgedAt), pulled, acknowledgedAt);
  return dropOldReceipts(settled, serverNow);
}

const isOtherStore = ({ device }: OutboxContent, epoch: string): boolean =>
  device.epoch !== null && device.epoch !== epoch;
