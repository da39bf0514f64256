/**
 * Pushes forwarded mutations under their own client id, and stores the server's answers. Loaded when a device has
 * forwarded mutations.
 */
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import type { Transport } from '../net/transport.ts';
import type { Batcher } from './batcher.ts';
import type { VerifiedEffects } from './effects/verified-effects.ts';
import type { OutgoingPush } from './push.ts';
import type { Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { chainDigitCount } from '../../../shared/protocol/chain.ts';
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

/** Acknowledges no answers, since another device may forward the same mutations and must get the same answers. */
export async function pushForwarded(options: PushForwardedOptions): Promise<void> {
  const { outbox, view, transport, batcher, verified, account_id, client_id, signal, onUpload, entriesToPush, send } =
    options;
  // Discards the verified effects, so that the round ends with a pull. The pull brings the effects of the forwarded
  // mutations.
  verified.take();
  const batch = batcher.nextBatch(entriesToPush());
  const head = { client_id, account_id, carried: true, acked_seq: 0 };
  const answers = await readForwardedAnswers(
    send({ batch, head, clientId: outbox.device.client_id, signal }),
    batch.entries,
    entriesToPush,
    stopProbeOnAbort(signal, (mutation) => {
      // Restarts the watchdog, since several probes in a row may take longer than the watchdog allows.
      onUpload(0);
      return transport.push({ ...head, mutations: [mutation] }, signal);
    }),
  );
  await outbox.writer.storeAnswers(answers, view.base.cursor?.cursor ?? '');
}

/** Pushes one more mutation under the forwarded client id, to learn what the server has under its sequence number. */
export type Probe = (mutation: PushedMutation) => Promise<Pick<PushResponse, 'results'>>;

/**
 * If the round was aborted, a failed probe rejects with the abort instead of its own failure, since the failure then
 * does not come from the server.
 */
export const stopProbeOnAbort =
  (signal: AbortSignal, probe: Probe): Probe =>
  (mutation) =>
    probe(mutation).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });

/**
 * Returns the outcome of each entry of `sent`. `unsent` returns all entries still to push. Without `probe`, an
 * unsendable mutation counts as refused even if the server may have it, so that a person decides.
 */
export const readForwardedAnswers = (
  sending: Promise<PushResponse>,
  sent: readonly SendableEntry[],
  unsent: () => readonly SendableEntry[],
  probe?: Probe,
): Promise<ForwardedAnswer[]> =>
  sending.then(
    ({ results }) => matchAnswers(sent, results, probe),
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.failure.kind !== 'other_owner') throw error;
      return otherOwnerRefusals(unsent(), sent[0]?.client_id);
    },
  );

function matchAnswers(
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
 * Returns a refusal of each mutation forwarded under `client_id`, since another token owns the client id. A person
 * decides about these mutations.
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
  // The server rejects each noop. `applied` therefore means that an earlier push sent the mutation itself, or that a
  // copy of the device sent another mutation under this sequence number. The run id tells these cases apart.
  const runId = answer.result?.run?.id;
  if (!reason || (runId !== undefined && runId === entry.args['run_id'])) return 'done';
  return probe && (await hasServerApplied(entry, probe)) ? 'done' : reason;
}

/**
 * Pushes a noop with this device's digest of the mutation, which the server compares with its own digest. The args are
 * not empty, since the server would accept a noop with empty args without a comparison.
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
        // Ends this round. The next round probes again, after the wait that the server asked for.
        if (!(error instanceof RequestError) || isServerBusy(error.failure)) throw error;
        if (error.failure.kind === 'reused') return false;
      }
    }
    return undefined;
  };
  // The server must refuse a wrong digest. A server that accepts a wrong digest does not compare digests: it stored
  // none with this answer, or is too old.
  return (await isDigestAccepted(wrongDigest)) === false && (await isDigestAccepted(ownDigest)) === true;
}

/** True if the server is overloaded. It would then refuse the pushes after this probe, too. */
const isServerBusy = (failure: RequestFailure): boolean =>
  failure.kind === 'busy' && !failure.isNotGemba && [429, 503].includes(failure.problem.status);

/** A probe that keeps failing must not hold up later mutations, so a person decides after this many tries. */
const probeTriesMax = 3;
/** No mutation has this digest, since SHA-256 does not yield it in practice. */
const wrongDigest = '0'.repeat(chainDigitCount);

const otherOwnerProblem: Problem = deviceProblemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
