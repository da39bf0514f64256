/** Decides what becomes of the outbox's mutations once a pull shows how far the server is. Pure. */
import type { ClientDoc } from '../../../shared/protocol/pull.ts';
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { DeviceBody, MutationBody } from '../../storage/rows.ts';
import type { OutboxContent } from './content.ts';
import { isRecording } from './mutation.ts';
import { belowAll } from './numbering.ts';

/** The parts of a pull that settle mutations: this client's record, if there is one, and the epoch of the server's store. */
export interface Pulled {
  client: ClientDoc | undefined;
  epoch: string;
  /** An earlier token owns the client id, so that no more can be numbered under it. */
  ofEarlierToken?: boolean;
  /** Whether the record that a mutation makes is among the pulled ones. */
  stands?: (body: MutationBody) => boolean;
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
export function settled(content: OutboxContent, { client }: Pulled, acknowledged_at: string): OutboxContent {
  if (!client) return content;
  const settledSeq = settledSeqOf(client, content.device);
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: MutationBody[] = [];
  const refused = [...content.refused];
  let receipts = [...content.receipts];
  for (const body of content.pending) {
    const error = errors.get(body.seq);
    if (body.seq > settledSeq) pending.push(body);
    else if (body.is_void) continue;
    else if (error) refused.push({ ...body, state: 'refused', error: body.withdrawn ?? error });
    else if (isRecording(body)) receipts.push({ ...body, state: 'receipt', acknowledged_at });
    // A receipt must not bring back a run that was deleted here.
    else if (body.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== body.args['run_id']);
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
 * Settles carried work, whose client's record no pull brings: its answers count once a pull has followed them. It becomes
 * this device's own then, numbered below all others.
 */
export function carriedSettled(
  content: OutboxContent,
  { cursor, isPullEnd = false }: Pulled,
  acknowledged_at: string,
): OutboxContent {
  const isSettled = ({ answer }: MutationBody) => answer !== undefined && (isPullEnd || answer.cursor !== cursor);
  const kept = content.carried.filter(isSettled).flatMap((body): MutationBody[] => {
    const outcome = body.answer!.outcome;
    if (body.is_void) return [];
    if (outcome === 'forgotten') return [{ ...body, state: 'refused', error: outcomeUnknown }];
    if (outcome !== 'done') return [{ ...body, state: 'refused', error: body.withdrawn ?? outcome }];
    return isRecording(body) ? [{ ...body, state: 'receipt', acknowledged_at }] : [];
  });
  const own = belowAll(content, kept);
  return {
    ...content,
    carried: content.carried.filter((body) => !isSettled(body)),
    refused: [...content.refused, ...own.filter(({ state }) => state === 'refused')],
    receipts: [...content.receipts, ...own.filter(({ state }) => state === 'receipt')],
  };
}

const outcomeUnknown: Problem = {
  ...problemOf({
    code: 'internal_error',
    detail: 'The server had it once, and no longer knows how that ended: send it again if it is missing.',
  }),
  title: 'The outcome is not known',
};

/** A receipt stays so long after the server had the recording. */
const receiptMsMax = 30 * 24 * 60 * 60_000;

/** Goes by the server's time, which receipts have, too: the device's clock makes none old. */
export function withoutOldReceipts(content: OutboxContent, serverNow: string | undefined): OutboxContent {
  if (serverNow === undefined) return content;
  const before = Date.parse(serverNow) - receiptMsMax;
  const isKept = ({ acknowledged_at }: MutationBody) => Date.parse(acknowledged_at ?? serverNow) >= before;
  return { ...content, receipts: content.receipts.filter(isKept) };
}
