/** Applies a pull to the content of the outbox. Pure. */
import type { IdGenerator } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import { needsNewIds, giveNewIds } from '../dependents/new-ids.ts';
import { resendAll, startNewClient } from '../sequence/numbering.ts';
import { rowIdOf } from '../parse-entry.ts';
import {
  dropExpiredReceipts,
  settlePending,
  settleForwarded,
  withoutDeletedRuns,
  type PulledState,
} from './settlement.ts';

interface PullTimes {
  /** The device's time: the `recorded_at` of new mutations. */
  now: string;
  /** The server's time in its latest response; undefined before the first response. */
  serverNow: string | undefined;
}

interface ApplyPullOptions extends PullTimes {
  ids: IdGenerator;
  /** Loaded only if `hasRefusedRunChange` is true. */
  returnedRunsModule?: typeof import('../dependents/returned-runs.ts') | undefined;
}

/** Tells whether a change of a run was refused because the server lacked the run. */
export const hasRefusedRunChange = ({ refused }: OutboxContent): boolean =>
  refused.some(({ error }) => error.code === 'run_not_found');

/**
 * Settles mutations, and gives new ids to mutations refused with `id_taken`. Starts a new client id if the current
 * client id has another owner. Sends all mutations again if the server was restored from a backup and may lack some.
 */
export function applyPull(
  content: OutboxContent,
  pulled: PulledState,
  { ids, returnedRunsModule, ...times }: ApplyPullOptions,
): OutboxContent {
  const { epoch, mustLeaveClientId = false, hasRecordCreatedBy = () => false, findRun = () => undefined } = pulled;
  const all = settleAll(content, pulled, times);
  const settled = returnedRunsModule?.settleReturnedRuns(all, findRun, times.now) ?? all;
  const after = giveNewIds(settled, { ids, recorded_at: times.now, hasRecordCreatedBy });
  const device = { ...after.device, epoch };
  if (hasOtherEpoch(content, epoch)) return resendAll({ ...after, device }, ids.uuid());
  return mustLeaveClientId ? startNewClient({ ...after, device }, ids.uuid()) : { ...after, device };
}

/** Tells whether `applyPull` will assign sequence numbers. The caller must then first read other tabs' mutations. */
export function willAssignNumbers(
  content: OutboxContent,
  pulled: PulledState,
  { returnedRunsModule, ...times }: Omit<ApplyPullOptions, 'ids'>,
): boolean {
  if (hasOtherEpoch(content, pulled.epoch) || pulled.mustLeaveClientId) return true;
  const settled = settleAll(content, pulled, times);
  const { findRun } = pulled;
  return (
    settled.refused.some(needsNewIds) || (findRun && returnedRunsModule?.hasReturnedRun(settled, findRun)) === true
  );
}

function settleAll(content: OutboxContent, pulled: PulledState, { now, serverNow }: PullTimes): OutboxContent {
  const provenAt = serverNow ?? now;
  const own = settlePending(content, pulled, provenAt);
  // A restored server may lack mutations that it answered before the restore, so all forwarded mutations are sent
  // again.
  const forwarded = hasOtherEpoch(content, pulled.epoch) ? own : settleForwarded(own, pulled, provenAt);
  const open = new Set([...own.pending, ...own.refused].map(rowIdOf));
  const done = content.pending.filter((entry) => !open.has(rowIdOf(entry)));
  // Drops the receipts of deleted runs, including receipts that this pull has just made.
  const settled = { ...forwarded, receipts: withoutDeletedRuns(forwarded.receipts, done) };
  // A restored server may lack any recording. No receipt expires until `resendAll` has made the receipts pending again.
  return hasOtherEpoch(content, pulled.epoch) ? settled : dropExpiredReceipts(settled, serverNow);
}

/**
 * True if the last pull came from a restored server and the outbox has not settled that pull. The device row stores the
 * old epoch, so a crash changes nothing. `epoch` is the epoch of the last pull; undefined before the first pull.
 */
export const hasOtherEpoch = ({ device }: Pick<OutboxContent, 'device'>, epoch = device.epoch): boolean =>
  device.epoch !== null && device.epoch !== epoch;
