/** Decides what a pull means for the outbox. Pure. */
import type { Ids } from '../../core/ids.ts';
import type { OutboxContent } from './content.ts';
import { needsNewIds, reassignIds } from './dependents/renewal.ts';
import { resendAll, startNewClient } from './sequence/numbering.ts';
import { dropOldReceipts, settle, settleForwarded, type Pulled } from './settlement.ts';

interface Times {
  /** The device's time, at which new mutations are recorded. */
  now: string;
  /** The server's time in its last answer; undefined before the first. */
  serverNow: string | undefined;
}

/**
 * Settles mutations and gives new ids where a device's own were taken. After a restore of the server everything gets
 * new numbers and is sent again, which idempotency makes safe.
 */
export function takePull(
  content: OutboxContent,
  pulled: Pulled,
  { ids, ...times }: Times & { ids: Ids },
): OutboxContent {
  const { epoch, ofEarlierToken = false, stands = () => false } = pulled;
  const after = reassignIds(settledBy(content, pulled, times), { ids, recorded_at: times.now, stands });
  const device = { ...after.device, epoch };
  if (isOtherStore(content, epoch)) return resendAll({ ...after, device }, ids.uuid());
  return ofEarlierToken ? startNewClient({ ...after, device }, ids.uuid()) : { ...after, device };
}

/** Whether `takePull` will give numbers, which takes knowledge of all that other tabs made. */
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
