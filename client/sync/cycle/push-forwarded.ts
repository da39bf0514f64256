/**
 * Pushes mutations that this device has from another client id, and reads their outcomes. Loaded when there are any.
 */
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import type { Transport } from '../net/transport.ts';
import type { Batcher } from './batcher.ts';
import type { VerifiedEffects } from './effects/verified-effects.ts';
import type { OutgoingPush } from './push.ts';
import type { Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { chainDigits } from '../../../shared/protocol/chain.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import type { MutationAnswer, PushedMutation, PushResponse } from '../../../shared/protocol/push.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { ForwardedAnswer } from '../../outbox/model/settling/forwarded-answers.ts';
import { mutationPayload, unsendableReason, type SendableEntry } from '../../outbox/model/entry.ts';
import type { ForwardedOutcome } from '../../storage/rows.ts';
import { RequestError, type RequestFailure } from '../net/failure.ts';
import { SyncError } from './failure/sync-failure.ts';

interface PushForwardedOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  batcher: Batcher;
  verified: VerifiedEffects;
  onUpload: (ms: number) => void;
  account_id: string;
  client_id: string;
  signal: AbortSignal;
  entriesToPush(): readonly SendableEntry[];
  send(outgoing: OutgoingPush): Promise<PushResponse>;
}

/** Acknowledges no answers, since another device that forwards the same mutations must get the same answers. */
export async function pushForwarded(options: PushForwardedOptions): Promise<void> {
  const { outbox, view, transport, batcher, verified, account_id, client_id, signal, onUpload, entriesToPush, send } =
    options;
  // The end of the next pull settles forwarded mutations, so it must bring their effects.
  verified.take();
  const batch = batcher.nextBatch(entriesToPush());
  const head = { client_id, account_id, carried: true, acked_seq: 0 };
  const answers = await readForwardedAnswers(
    send({ batch, head, clientId: outbox.device.client_id, signal }),
    batch.entries,
    entriesToPush,
    stopProbeOnAbort(signal, (mutation) => {
      // Several questions one after another may take longer than a round that makes no progress.
      onUpload(0);
      return transport.push({ ...head, mutations: [mutation] }, signal);
    }),
  );
  await outbox.writer.storeAnswers(answers, view.base.cursor?.cursor ?? '');
}

/** Pushes one more mutation under the client id of the others. */
export type Probe = (mutation: PushedMutation) => Promise<Pick<PushResponse, 'results'>>;

/** Without a network or the lead, each question fails at once, which says nothing of what the server has. */
export const stopProbeOnAbort =
  (signal: AbortSignal, probe: Probe): Probe =>
  (mutation) =>
    probe(mutation).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });

/**
 * `unsent` returns all entries to push after the push of `sent`. Without `probe`, a mutation that cannot be sent and
 * that the server may have is refused, so that a person decides.
 */
export const readForwardedAnswers = (
  sending: Promise<PushResponse>,
  sent: readonly SendableEntry[],
  unsent: () => readonly SendableEntry[],
  probe?: Probe,
): Promise<ForwardedAnswer[]> =>
  sending.then(
    ({ results }) => forwardedAnswersOf(sent, results, probe),
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.failure.kind !== 'other_owner') throw error;
      return otherOwnerRefusals(unsent(), sent[0]?.client_id);
    },
  );

function forwardedAnswersOf(
  sent: readonly SendableEntry[],
  results: readonly MutationAnswer[],
  probe?: Probe,
): Promise<ForwardedAnswer[]> {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return Promise.all(
    sent.map(async (entry) => ({ entry, outcome: await outcomeOf(entry, found.get(entry.seq), probe) })),
  );
}

/**
 * Refuses all mutations forwarded under `client_id`, which belongs to another token, so that a person decides about
 * them.
 */
const otherOwnerRefusals = (toPush: readonly SendableEntry[], client_id: string | undefined): ForwardedAnswer[] =>
  toPush
    .filter((entry) => entry.state === 'forwarded' && entry.client_id === client_id)
    .map((entry) => ({ entry, outcome: otherOwnerProblem }));

async function outcomeOf(
  entry: SendableEntry,
  answer: MutationAnswer | undefined,
  probe: Probe | undefined,
): Promise<ForwardedOutcome> {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  const reason = unsendableReason(entry);
  // The server rejects a noop. `applied` means that an earlier push sent the mutation itself, or that a copied device
  // sent another mutation under this number. The run tells which, since a copy may have finished the same session.
  const runId = answer.result?.run?.id;
  if (!reason || (runId !== undefined && runId === entry.args['run_id'])) return 'done';
  return probe && (await hasServerApplied(entry, probe)) ? 'done' : reason;
}

/**
 * Asks by a noop with the mutation's digest, whose args are not empty, since the server compares the digests of such.
 */
async function hasServerApplied(entry: SendableEntry, probe: Probe): Promise<boolean> {
  const { seq, recorded_at } = entry;
  const ownDigest = await digestOf({ ...entry, payload: mutationPayload });
  const isDigestAccepted = async (digest: string): Promise<boolean | undefined> => {
    for (let tries = 0; tries < probeTriesMax; tries++) {
      try {
        const { results } = await probe({ seq, name: noopName, args: { is_repeated: true }, recorded_at, digest });
        return results[0]?.status === 'applied';
      } catch (error) {
        // The next round asks again, after the wait that the server names.
        if (!(error instanceof RequestError) || isServerBusy(error.failure)) throw error;
        if (error.failure.kind === 'reused') return false;
      }
    }
    return undefined;
  };
  // A server that takes a wrong digest compares none: it has none of this answer, or is of an early version.
  return (await isDigestAccepted(wrongDigest)) === false && (await isDigestAccepted(ownDigest)) === true;
}

/** A server that has no time for this question has none for the work behind it either. */
const isServerBusy = (failure: RequestFailure): boolean =>
  failure.kind === 'busy' && !failure.isNotGemba && [429, 503].includes(failure.problem.status);

/** A question that keeps failing must not hold up the work behind it, so a person decides. */
const probeTriesMax = 3;
/** Stands for no mutation, as far as SHA-256 goes. */
const wrongDigest = '0'.repeat(chainDigits);

const otherOwnerProblem: Problem = deviceProblemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
