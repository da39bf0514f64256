/**
 * Handles the answer to a sealed push. Only a pull proves that the server has the work. The outbox uses an answer for
 * two things alone: to store the outcome of forwarded mutations, and to renumber or resend work if the server lacks
 * earlier sequence numbers (a gap) or has other work under the same ones (a fork).
 */
import type { Outbox } from '../outbox/outbox.ts';
import type { SendableEntry } from '../outbox/model/entry.ts';
import { noAgreedSeq, type SequenceConflict } from '../outbox/model/sequence/numbering.ts';
import type { HandOverBody, Row } from '../storage/rows.ts';
import { mutationRowId } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { readForwardedAnswers } from '../sync/cycle/push-forwarded.ts';
import { conflictInRefusal } from '../sync/cycle/sequence-conflict.ts';
import { SyncError } from '../sync/cycle/failure/sync-failure.ts';
import type { RequestFailure } from '../sync/net/failure.ts';
import { RequestError } from '../sync/net/failure.ts';
import { isPushResponse } from '../sync/net/parse-response.ts';
import { readBody } from '../sync/net/read-response.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { PushResponse } from '../../shared/protocol/push.ts';
import type { View } from '../view/view.ts';
import type { SealedMessage, SealedPush } from './sealed-messages.ts';

export interface PushAnswersOptions {
  table: Table<HandOverBody>;
  outbox: Outbox;
  view: View;
}

/** Handles the answer. Resolves to the failure if the server refused the push. */
export async function onPushAnswer(
  options: PushAnswersOptions,
  message: SealedMessage & { request: SealedPush },
  response: Response,
): Promise<RequestFailure | undefined> {
  const lastSeq = message.request.seqs.at(-1) ?? 0;
  const reading = readBody(response, {
    isExpected: (body) => isPushResponse(body, lastSeq),
    onAlive: () => {},
    unpack: undefined,
  }).then((body) => body as unknown as PushResponse);
  const failure = await reading.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      return error.failure;
    },
  );
  if (message.request.forwarded) {
    await storeForwardedAnswers(options, message.request, { reading, failure });
    if (failure) await recoverForwarded(options, message.request, failure);
  } else if (failure) await recoverOwnNumbers(options, message.request, failure);
  return failure;
}

async function storeForwardedAnswers(
  { outbox, view }: PushAnswersOptions,
  { client_id, seqs }: SealedPush,
  { reading, failure }: { reading: Promise<PushResponse>; failure: RequestFailure | undefined },
): Promise<void> {
  if (failure && failure.kind !== 'other_owner') return;
  const sent = seqs.flatMap((seq): SendableEntry[] => {
    const entry = outbox.entryByRowId(mutationRowId(client_id, seq));
    return entry?.state === 'forwarded' && !entry.answer ? [entry] : [];
  });
  const asSyncError = reading.catch(() => {
    if (failure?.kind === 'other_owner') throw new SyncError({ ...failure, clientId: client_id });
    throw new RequestError(failure ?? { kind: 'unreachable', detail: 'The answer is gone.' });
  });
  const answers = await readForwardedAnswers(asSyncError, sent, () => view.unsettled);
  await outbox.writer.storeAnswers(answers, view.base.cursor?.cursor ?? '');
}

async function recoverOwnNumbers(
  { table, outbox, view }: PushAnswersOptions,
  { client_id, first }: SealedPush,
  failure: RequestFailure,
): Promise<void> {
  if (failure.kind === 'reused') {
    const agreedSeq = outbox.device.offered_seq ?? noAgreedSeq;
    return giveNewNumbers({ outbox, view }, failure.problem, { client_id, agreedSeq });
  }
  // Ignore a gap that a later push of the hand-over reports: the carrier may have delivered it before the first push.
  if (failure.kind === 'gap' && first) await onGap({ table, outbox }, client_id);
}

/**
 * Handles a refused push of forwarded work. If the server has other mutations under its numbers, the work gets new
 * numbers. If the server reports a gap again after a pull, the device sends all work again under a new client id.
 */
async function recoverForwarded(
  options: PushAnswersOptions,
  { client_id, seqs }: SealedPush,
  failure: RequestFailure,
): Promise<void> {
  const { outbox, view } = options;
  if (failure.kind === 'reused') {
    return giveNewNumbers({ outbox, view }, failure.problem, { client_id, agreedSeq: noAgreedSeq });
  }
  // Ignore a gap that a later push under this client id reports: a carrier may have delivered it before the first push.
  const first = view.unsettled.find((entry) => entry.client_id === client_id);
  if (failure.kind === 'gap' && first?.seq === seqs[0]) await onGap(options, outbox.device.client_id);
}

/** Gives new numbers to the work that the server refused, since it has other mutations under the numbers. */
async function giveNewNumbers(
  { outbox, view }: Pick<PushAnswersOptions, 'outbox' | 'view'>,
  problem: Problem,
  fallbackConflict: SequenceConflict,
): Promise<void> {
  const keepsChain = view.client?.chain !== undefined;
  await outbox.sequence.fork(conflictInRefusal(problem, { fallbackConflict, keepsChain }));
}

/**
 * Notes a gap, so that the device pulls all records. If the server reports the gap again after the pull, the device
 * sends all work again.
 */
async function onGap({ table, outbox }: Omit<PushAnswersOptions, 'view'>, client_id: string): Promise<void> {
  const found = foundGap(table);
  const isFoundAgain = found?.client_id === client_id && found.pulled;
  if (isFoundAgain) await outbox.sequence.resendAll(client_id);
  if (isFoundAgain) await table.write([], [gapRowId]);
  else if (found?.client_id !== client_id) await table.write([gapRow({ client_id, pulled: false })]);
}

/**
 * Tells whether to pull all records. A gap shows that the server was restored, and changes of the restored server may
 * have versions below the cursor.
 */
export function gapNeedsFullPull(table: Table<HandOverBody>): boolean {
  return foundGap(table)?.pulled === false;
}

/** Notes that a pull followed the gap. If the server then reports the gap again, the device sends all work again. */
export async function onPulled(table: Table<HandOverBody>): Promise<void> {
  const found = foundGap(table);
  if (found?.pulled === false) await table.write([gapRow({ ...found, pulled: true })]);
}

const gapRowId = 'gap';
type Gap = Extract<HandOverBody, { kind: 'gap' }>;
const gapRow = (gap: Omit<Gap, 'kind'>): Row<HandOverBody> => ({ id: gapRowId, body: { ...gap, kind: 'gap' } });

function foundGap(table: Table<HandOverBody>): Gap | undefined {
  const body = table.get(gapRowId);
  return body?.kind === 'gap' ? body : undefined;
}
