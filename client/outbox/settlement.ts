/** What becomes of the outbox's mutations when the pull has told how far the server is with them. Pure. */
import type { ClientDoc } from '../../shared/protocol/pull.ts';
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { DeviceBody, MutationBody } from '../store/rows.ts';
import type { OutboxContent } from './content.ts';
import { isRecording } from './mutation.ts';
import { belowAll } from './numbering.ts';

/** What the pull told: this device's record, if the server has one, and the epoch of the server's store. */
export interface Pulled {
  client: ClientDoc | undefined;
  epoch: string;
  /** The client is that of an earlier token: no more can be numbered under it. */
  ofEarlierToken?: boolean;
  /** Whether the very record that a mutation makes is among those that were pulled. */
  stands?: (body: MutationBody) => boolean;
  /** What a carried mutation was answered before this was pulled; undefined when it was not. */
  answerTo?: (body: MutationBody) => Answer | undefined;
  /** Why a mutation was refused, where this device knows better than the server. */
  trueErrorOf?: (body: MutationBody) => Problem | undefined;
}

/** forgotten: the server has it, and no longer knows how that ended. */
export type Answer = 'done' | 'forgotten' | Problem;

/** A server that has more than was ever sent has it under numbers that were given before; the next push tells. */
export const settledSeqOf = (client: ClientDoc | undefined, { offered_seq = 0 }: DeviceBody): number =>
  Math.min(client?.last_seq ?? 0, offered_seq);

/** Done mutations go, recordings stay as receipts, refused ones wait for a person. */
export function settled(
  content: OutboxContent,
  { client, trueErrorOf }: Pulled,
  acknowledged_at: string,
): OutboxContent {
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
    else if (error) refused.push({ ...body, state: 'refused', error: trueErrorOf?.(body) ?? error });
    else if (isRecording(body)) receipts.push({ ...body, state: 'receipt', acknowledged_at });
    // A run that was deleted here is not brought back by its receipt.
    else if (body.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== body.args['run_id']);
    }
  }
  return { ...content, pending, refused, receipts };
}

/**
 * The same for what was carried here from another device, whose record does not come with the pull: the answers to its
 * push count once a pull has followed them. From then on it is this device's own, numbered below all that it made.
 */
export function carriedSettled(
  content: OutboxContent,
  { answerTo, trueErrorOf }: Pulled,
  acknowledged_at: string,
): OutboxContent {
  const answers = new Map(content.carried.map((body) => [body, answerTo?.(body)]));
  const kept = content.carried.flatMap((body): MutationBody[] => {
    const answer = answers.get(body);
    if (answer === undefined || body.is_void) return [];
    if (answer === 'forgotten') return [{ ...body, state: 'refused', error: outcomeUnknown }];
    if (answer !== 'done') return [{ ...body, state: 'refused', error: trueErrorOf?.(body) ?? answer }];
    return isRecording(body) ? [{ ...body, state: 'receipt', acknowledged_at }] : [];
  });
  const own = belowAll(content, kept);
  return {
    ...content,
    carried: content.carried.filter((body) => answers.get(body) === undefined),
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

/** Recordings stay as receipts for so long after the server had them. */
const receiptMsMax = 30 * 24 * 60 * 60_000;

/** By the server's time, as that of the receipts is: whatever the device's clock says makes none old. */
export function withoutOldReceipts(content: OutboxContent, serverNow: string | undefined): OutboxContent {
  if (serverNow === undefined) return content;
  const before = Date.parse(serverNow) - receiptMsMax;
  const isKept = ({ acknowledged_at }: MutationBody) => Date.parse(acknowledged_at ?? serverNow) >= before;
  return { ...content, receipts: content.receipts.filter(isKept) };
}
