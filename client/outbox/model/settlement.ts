/** Decides what becomes of the outbox's entries once a pull shows how far the server is. Pure. */
import type { ClientDoc } from '../../../shared/protocol/pull.ts';
import type { DeviceBody } from '../../storage/rows.ts';
import type { OutboxContent } from './content.ts';
import {
  isMadeAgain,
  receiptEntry,
  refusedEntry,
  type ForwardedEntry,
  type PendingEntry,
  type ReceiptEntry,
  type RefusedEntry,
} from './entry.ts';
import { isRecording } from './mutation.ts';
import { outcomeUnknown } from './parse-entry.ts';
import { waitBelow } from './sequence/numbering.ts';

/** The parts of a pull that settle mutations: this client's record, if there is one, and the epoch of the server's store. */
export interface Pulled {
  client: ClientDoc | undefined;
  epoch: string;
  /** An earlier token owns the client id, so that no more can be numbered under it. */
  ofEarlierToken?: boolean;
  /** Whether the record that a mutation makes is among the pulled ones. */
  stands?: (entry: RefusedEntry) => boolean;
  /** The cursor of the pulled records. */
  cursor: string;
  /** At the end of a pull the records have the effects of all earlier answers. */
  isPullEnd?: boolean;
}

/** Trusts a chain, which was checked before it was stored. Without one, only sent numbers can be this device's work. */
export function settledSeqOf(client: ClientDoc | undefined, { offered_seq = 0, proven_seq }: DeviceBody): number {
  if (!client) return 0;
  const isVouched = client.chain !== undefined && proven_seq !== undefined;
  return isVouched ? client.last_seq : Math.min(client.last_seq, offered_seq);
}

/** Lets done mutations go, keeps recordings as receipts, and leaves refused ones to a person. */
export function settle(content: OutboxContent, { client }: Pulled, acknowledged_at: string): OutboxContent {
  if (!client) return content;
  const settledSeq = settledSeqOf(client, content.device);
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: PendingEntry[] = [];
  const refused = [...content.refused];
  let receipts = [...content.receipts];
  for (const entry of content.pending) {
    const error = errors.get(entry.seq);
    if (entry.seq > settledSeq) pending.push(entry);
    else if (isMadeAgain(entry)) continue;
    else if (error) refused.push(refusedEntry(entry, error));
    else if (isRecording(entry)) receipts.push(receiptEntry(entry, acknowledged_at));
    // A receipt must not bring back a run that was deleted here.
    else if (entry.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== entry.args['run_id']);
    }
  }
  return { ...content, device: provenBy(client, content.device), pending, refused, receipts };
}

/** Stores the proof. A device that never had one takes the server's, unless the server has more than was sent. */
function provenBy({ chain, last_seq }: ClientDoc, device: DeviceBody): DeviceBody {
  const { offered_seq = 0, proven_seq } = device;
  if (chain === undefined || (proven_seq === undefined && last_seq > offered_seq)) return device;
  return { ...device, proven_seq: last_seq, proven_chain: chain, offered_seq: Math.max(offered_seq, last_seq) };
}

/**
 * Settles forwarded work, whose client's record no pull brings: its answers count once a pull has followed them. It becomes
 * this device's own then, and waits below all others.
 */
export function settleForwarded(
  content: OutboxContent,
  { cursor, isPullEnd = false }: Pulled,
  acknowledged_at: string,
): OutboxContent {
  const isSettled = ({ answer }: ForwardedEntry) => answer !== undefined && (isPullEnd || answer.cursor !== cursor);
  const settled = content.forwarded.filter(isSettled).flatMap((entry) => keptOf(entry, acknowledged_at));
  const kept = waitBelow(content, settled);
  return {
    ...content,
    forwarded: content.forwarded.filter((entry) => !isSettled(entry)),
    refused: [...content.refused, ...kept.filter((entry) => entry.state === 'refused')],
    receipts: [...content.receipts, ...kept.filter((entry) => entry.state === 'receipt')],
  };
}

/** An answered entry stays as a refused one, as a receipt, or not at all. */
function keptOf(entry: ForwardedEntry, acknowledged_at: string): (RefusedEntry | ReceiptEntry)[] {
  const outcome = entry.answer?.outcome;
  if (outcome === undefined || isMadeAgain(entry)) return [];
  if (outcome === 'forgotten') return [{ ...refusedEntry(entry, outcomeUnknown), error: outcomeUnknown }];
  if (outcome !== 'done') return [refusedEntry(entry, outcome)];
  return isRecording(entry) ? [receiptEntry(entry, acknowledged_at)] : [];
}

/** The life of a receipt, from the moment when the server had the recording. */
const receiptMsMax = 30 * 24 * 60 * 60_000;

/** Receipts expire by the server's time, in which they are dated: the device's clock makes none old. */
export function dropOldReceipts(content: OutboxContent, serverNow: string | undefined): OutboxContent {
  if (serverNow === undefined) return content;
  const before = Date.parse(serverNow) - receiptMsMax;
  const isKept = ({ acknowledged_at }: ReceiptEntry) => Date.parse(acknowledged_at ?? serverNow) >= before;
  return { ...content, receipts: content.receipts.filter(isKept) };
}
