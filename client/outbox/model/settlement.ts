/** Settles the outbox's entries: decides which of them are done or refused according to a pull. Pure. */
import type { ClientProgress } from '../../../shared/protocol/pull.ts';
import type { DeviceBody } from '../../storage/rows.ts';
import type { OutboxContent } from './content.ts';
import {
  isReplaced,
  toReceipt,
  toRefused,
  type ForwardedEntry,
  type PendingEntry,
  type ReceiptEntry,
  type RefusedEntry,
} from './entry.ts';
import { isRecordingUpload } from './mutation.ts';
import { outcomeUnknownProblem } from './parse-entry.ts';
import { withoutNumbers } from './sequence/numbering.ts';

/** The parts of a pull that settle mutations. */
export interface PulledState {
  /** The server's record of this device's client id; undefined before the server has one. */
  client: ClientProgress | undefined;
  epoch: string;
  /** The client id belongs to an earlier token of this device, so the device can add no more numbers under it. */
  isOfEarlierToken?: boolean;
  /** Whether the pulled records include the record that a mutation makes. */
  hasRecordOf?: (entry: RefusedEntry) => boolean;
  /** The cursor of the pulled records. */
  cursor: string;
  /** Whether a pull has just ended: then the pulled records include the effects of all answered mutations. */
  hasPullEnded?: boolean;
}

/**
 * The last number that the server has settled. With a hash chain, the client's record was verified before it was stored;
 * without a chain, numbers above the sent number cannot be this device's work and do not count.
 */
export function settledSeqOf(client: ClientProgress | undefined, { offered_seq = 0, proven_seq }: DeviceBody): number {
  if (!client) return 0;
  const isVerified = client.chain !== undefined && proven_seq !== undefined;
  return isVerified ? client.last_seq : Math.min(client.last_seq, offered_seq);
}

/** Settles pending entries: removes done mutations, keeps recordings as receipts, and marks refused ones as refused. */
export function settlePending(content: OutboxContent, { client }: PulledState, acknowledged_at: string): OutboxContent {
  if (!client) return content;
  const settledSeq = settledSeqOf(client, content.device);
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: PendingEntry[] = [];
  const refused = [...content.refused];
  let receipts = [...content.receipts];
  for (const entry of content.pending) {
    const error = errors.get(entry.seq);
    if (entry.seq > settledSeq) pending.push(entry);
    else if (isReplaced(entry)) continue;
    else if (error) refused.push(toRefused(entry, error));
    else if (isRecordingUpload(entry)) receipts.push(toReceipt(entry, acknowledged_at));
    // A deleted run's receipt is dropped: sending that receipt again later would restore the run.
    else if (entry.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== entry.args['run_id']);
    }
  }
  return { ...content, device: withProvenChain(client, content.device), pending, refused, receipts };
}

/**
 * Stores the verified chain. A device that has none yet adopts the server's chain, unless the server has more numbers
 * than the device sent.
 */
function withProvenChain({ chain, last_seq }: ClientProgress, device: DeviceBody): DeviceBody {
  const { offered_seq = 0, proven_seq } = device;
  if (chain === undefined || (proven_seq === undefined && last_seq > offered_seq)) return device;
  return { ...device, proven_seq: last_seq, proven_chain: chain, offered_seq: Math.max(offered_seq, last_seq) };
}

/**
 * Settles forwarded entries by their push answers, since a pull brings no record of their client ids. An answer counts once
 * a later pull has brought its effects. Kept entries become this device's own, without numbers.
 */
export function settleForwarded(
  content: OutboxContent,
  { cursor, hasPullEnded = false }: PulledState,
  acknowledged_at: string,
): OutboxContent {
  const isSettled = ({ answer }: ForwardedEntry) => answer !== undefined && (hasPullEnded || answer.cursor !== cursor);
  const settled = content.forwarded.filter(isSettled).flatMap((entry) => settledEntriesOf(entry, acknowledged_at));
  const kept = withoutNumbers(content, settled);
  return {
    ...content,
    forwarded: content.forwarded.filter((entry) => !isSettled(entry)),
    refused: [...content.refused, ...kept.filter((entry) => entry.state === 'refused')],
    receipts: [...content.receipts, ...kept.filter((entry) => entry.state === 'receipt')],
  };
}

/** The entry that remains of an answered one: a refused entry, a receipt, or none. */
function settledEntriesOf(entry: ForwardedEntry, acknowledged_at: string): (RefusedEntry | ReceiptEntry)[] {
  const outcome = entry.answer?.outcome;
  if (outcome === undefined || isReplaced(entry)) return [];
  if (outcome === 'forgotten') return [{ ...toRefused(entry, outcomeUnknownProblem), error: outcomeUnknownProblem }];
  if (outcome !== 'done') return [toRefused(entry, outcome)];
  return isRecordingUpload(entry) ? [toReceipt(entry, acknowledged_at)] : [];
}

/** How long a receipt is kept, counted from the pull that first showed the recording on the server. */
const receiptMsMax = 30 * 24 * 60 * 60_000;

/** Drops expired receipts by the server's time, so that a wrong clock of the device cannot expire them. */
export function dropOldReceipts(content: OutboxContent, serverNow: string | undefined): OutboxContent {
  if (serverNow === undefined) return content;
  const before = Date.parse(serverNow) - receiptMsMax;
  const isKept = ({ acknowledged_at }: ReceiptEntry) => Date.parse(acknowledged_at ?? serverNow) >= before;
  return { ...content, receipts: content.receipts.filter(isKept) };
}
