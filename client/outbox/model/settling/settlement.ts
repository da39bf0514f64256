/** Decides from a pull which mutations are done and which are refused. Pure. */
import type { ClientProgress } from '../../../../shared/protocol/pull.ts';
import type { DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import {
  isReplaced,
  toReceiptEntry,
  toRefusedEntry,
  type ForwardedEntry,
  type PendingEntry,
  type ReceiptEntry,
  type RefusedEntry,
  type SendableEntry,
} from '../entry.ts';
import { isRecordingUpload } from '../../../../shared/domain/runs-read.ts';
import type { FindRun } from '../dependents/returned-runs.ts';
import { outcomeUnknownProblem } from '../parse-entry.ts';
import { settleWithoutNumbers } from '../sequence/numbering.ts';

/** The server's state after a pull, as far as settling needs it. */
export interface PulledState {
  /** The server's record of this device's client id; undefined before the server has such a record. */
  client: ClientProgress | undefined;
  epoch: string;
  /**
   * True if the client id belongs to an earlier pairing of this device. The server then accepts the mutations of that
   * client id only as forwarded.
   */
  mustLeaveClientId?: boolean;
  hasRecordCreatedBy?: (entry: RefusedEntry) => boolean;
  findRun?: FindRun;
  cursor: string;
  /**
   * True right after a pull, when the records include the effects of all mutations that were answered before the pull.
   */
  hasPullEnded?: boolean;
}

/** True if the client record has a hash chain, which the device compared with its own chain at the pull. */
export const isChainVerified = (
  client: ClientProgress | undefined,
  { proven_seq }: Pick<DeviceBody, 'proven_seq'>,
): boolean => client?.chain !== undefined && proven_seq !== undefined;

/**
 * Returns the last sequence number that the server has settled. Without a verified chain, the result is at most the
 * sent number (`offered_seq`), since the device never sent a higher sequence number.
 */
export function settledSeqOf(client: ClientProgress | undefined, device: DeviceBody): number {
  if (!client) return 0;
  const { offered_seq = 0 } = device;
  return isChainVerified(client, device) ? client.last_seq : Math.min(client.last_seq, offered_seq);
}

/**
 * Removes the settled entries from `pending`. A refused mutation becomes a refused entry, and a done recording becomes
 * a receipt.
 */
export function settlePending(content: OutboxContent, { client }: PulledState, provenAt: string): OutboxContent {
  if (!client) return content;
  const settledSeq = settledSeqOf(client, content.device);
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: PendingEntry[] = [];
  const refused = [...content.refused];
  const receipts = [...content.receipts];
  for (const entry of content.pending) {
    const error = errors.get(entry.seq);
    if (entry.seq > settledSeq) pending.push(entry);
    else if (isReplaced(entry)) continue;
    else if (error) refused.push(toRefusedEntry(entry, error));
    else if (isRecordingUpload(entry)) receipts.push(toReceiptEntry(entry, provenAt));
  }
  return { ...content, device: withProvenChain(client, content.device), pending, refused, receipts };
}

/**
 * Stores the verified hash chain. A device without a chain adopts the server's chain, unless the server has sequence
 * numbers that this device never sent.
 */
function withProvenChain({ chain, last_seq }: ClientProgress, device: DeviceBody): DeviceBody {
  const { offered_seq = 0, proven_seq } = device;
  if (chain === undefined || (proven_seq === undefined && last_seq > offered_seq)) return device;
  return { ...device, proven_seq: last_seq, proven_chain: chain, offered_seq: Math.max(offered_seq, last_seq) };
}

/**
 * Settles forwarded entries by the answers to their pushes, since a pull brings no record of their client ids. An
 * answer counts once a later pull has brought the effects of the mutation.
 */
export function settleForwarded(
  content: OutboxContent,
  { cursor, hasPullEnded = false }: PulledState,
  provenAt: string,
): OutboxContent {
  const isSettled = (entry: ForwardedEntry): entry is AnsweredEntry =>
    entry.answer !== undefined && (hasPullEnded || entry.answer.cursor !== cursor);
  const kept = settleWithoutNumbers(content, (entry) => (isSettled(entry) ? outcomeEntriesOf(entry, provenAt) : []));
  const receipts = [...content.receipts, ...kept.filter((entry) => entry.state === 'receipt')];
  const done = content.forwarded.filter((entry) => isSettled(entry) && entry.answer.outcome === 'done');
  return {
    ...content,
    forwarded: content.forwarded.filter((entry) => !isSettled(entry)),
    refused: [...content.refused, ...kept.filter((entry) => entry.state === 'refused')],
    receipts: withoutDeletedRuns(receipts, done),
  };
}

type AnsweredEntry = ForwardedEntry & Required<Pick<ForwardedEntry, 'answer'>>;

function outcomeEntriesOf(entry: AnsweredEntry, provenAt: string): (RefusedEntry | ReceiptEntry)[] {
  const { outcome } = entry.answer;
  if (isReplaced(entry)) return [];
  if (outcome === 'forgotten')
    return [{ ...toRefusedEntry(entry, outcomeUnknownProblem), error: outcomeUnknownProblem }];
  if (outcome !== 'done') return [toRefusedEntry(entry, outcome)];
  return isRecordingUpload(entry) ? [toReceiptEntry(entry, provenAt)] : [];
}

/** Drops the receipts of the runs that `done` deletes, since resending a receipt would bring its run back. */
export function withoutDeletedRuns(receipts: ReceiptEntry[], done: SendableEntry[]): ReceiptEntry[] {
  const deletions = done.filter((entry) => entry.name === 'delete_run' && !isReplaced(entry));
  const runIds = new Set(deletions.map(({ args }) => args['run_id']));
  return receipts.filter(({ args }) => !runIds.has(args['run_id']));
}

/** Receipts are kept this long after a pull last proved that the server has the recording. */
const receiptAgeMsMax = 30 * 24 * 60 * 60_000;

/** Uses the server's time, because the device's clock may be wrong. */
export function dropExpiredReceipts(content: OutboxContent, serverNow: string | undefined): OutboxContent {
  if (serverNow === undefined) return content;
  const before = Date.parse(serverNow) - receiptAgeMsMax;
  const isKept = ({ proven_at }: ReceiptEntry) => Date.parse(proven_at ?? serverNow) >= before;
  return { ...content, receipts: content.receipts.filter(isKept) };
}
