/**
 * Runs the sync state machine: carries out its effects, and dispatches their outcomes as events. A watchdog restarts a
 * round without progress, since a promise of the device's storage may never settle.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../../shared/domain/assert.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import type { Clock } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { PulledState } from '../../outbox/model/settling/settlement.ts';
import type { View } from '../../view/view.ts';
import { backoffMsAfter } from '../net/backoff.ts';
import { RequestError } from '../net/failure.ts';
import { SyncError, type SyncFailure } from './failure/sync-failure.ts';
import type { Batcher } from './batcher.ts';
import { next, stallMsMax } from './machine.ts';
import type { SyncEffect, PushRecovery, SyncEvent, SyncState } from './sync-state.ts';
import type { Puller } from './pull.ts';
import type { Pusher } from './push.ts';
import type { SequenceCheck } from './sequence-check.ts';
import { waitEndsOnServerEvent } from './common-transitions.ts';

interface LoopOptions {
  clock: Clock;
  random: () => number;
  outbox: Outbox;
  view: View;
  pusher: Pusher;
  puller: Puller;
  check: SequenceCheck;
  batcher: Batcher;
  /** Tells whether the event stream has announced changes that this device does not have. */
  hasNews: () => boolean;
  initial: SyncState;
  /**
   * How long the wait of the previous leader still lasts, if no event of the server may end this wait. Otherwise 0 or
   * less.
   */
  retryAfterMs: number;
}

export class SyncLoop {
  readonly state$: BehaviorSubject<SyncState>;
  readonly #options: LoopOptions;
  /** Cancels the loop's only timer: the watchdog during a round, otherwise the end of the wait. */
  #cancelTimer: () => void = () => {};
  #stopped = false;
  /** When the current wait ends, by the monotonic clock. A loss of the network does not change this time. */
  #waitUntil: number;
  /** Counts pulls in a row that lacked pushed mutations which the server had answered. */
  #pullsMissingPushedMutations = 0;
  /** Aborts the current push or pull, whose outcome is then ignored. */
  #controller = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
    this.state$ = new BehaviorSubject(options.initial);
    this.#waitUntil = options.clock.monotonicMs() + options.retryAfterMs;
  }

  dispatch(event: SyncEvent): void {
    if (this.#stopped) return;
    const { state, effects } = next(this.state$.value, event);
    if (state.phase !== this.state$.value.phase) this.#cancelTimer();
    // Sets the end of the wait before the state, since listeners of `state$` read `retryAfterMs`.
    for (const effect of effects) {
      const ms = effect.do === 'wait' && state.phase === 'waiting' ? effect.ms : 0;
      if (effect.do !== 'abort') this.#waitUntil = this.#options.clock.monotonicMs() + ms;
    }
    this.state$.next(state);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** Restarts the watchdog after progress. `ms` is extra time for an upload that begins. */
  restartWatchdog(ms = 0): void {
    if (!isAtRest(this.state$.value)) this.#schedule(stallMsMax + ms, 'stalled');
  }

  /**
   * How many milliseconds the current wait still lasts, if no event of the server may end it (such as a wait that the
   * server asked for). Otherwise 0.
   */
  get retryAfterMs(): number {
    const { phase } = this.state$.value;
    const isServersWait = (phase === 'waiting' || phase === 'offline') && !waitEndsOnServerEvent(this.state$.value);
    return isServersWait ? Math.max(0, this.#waitUntil - this.#options.clock.monotonicMs()) : 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#controller.abort();
    this.#cancelTimer();
    this.state$.complete();
  }

  #carryOut(effect: SyncEffect): void {
    switch (effect.do) {
      case 'push':
        return this.#runStep((signal) => this.#push(signal, effect.first));
      case 'pull':
        if (effect.all) this.#options.puller.requestFullPull();
        return this.#runStep((signal) => this.#pull(signal));
      case 'wait':
        return this.#schedule(effect.ms, 'timer');
      case 'abort':
        this.#controller.abort();
    }
  }

  #schedule(ms: number, type: 'timer' | 'stalled'): void {
    this.#cancelTimer();
    if (!this.#stopped) this.#cancelTimer = this.#options.clock.schedule(ms, () => this.dispatch({ type }));
  }

  async #push(signal: AbortSignal, first: PushRecovery | undefined): Promise<SyncEvent> {
    const { pusher, outbox, view } = this.#options;
    if (first) await this.#recover(first, signal);
    // Settles the outbox by the last pull, since the app may have crashed after the write of the pull, before settling.
    await settleOutbox(outbox, view);
    signal.throwIfAborted();
    return { type: 'pushed', ...(await pusher.push(signal)) };
  }

  #recover(recovery: PushRecovery, signal: AbortSignal): Promise<void> {
    const { outbox, batcher } = this.#options;
    switch (recovery.kind) {
      case 'resendAll':
        return outbox.sequence.resendAll(recovery.clientId);
      case 'forkSequence':
        return outbox.sequence.fork(recovery.conflict);
      case 'splitBatch':
        return batcher.splitBatch();
      case 'isolate':
        return batcher.isolateFailingMutation(recovery.failure, signal);
    }
  }

  async #pull(signal: AbortSignal): Promise<SyncEvent> {
    const { puller, pusher, check, outbox, view } = this.#options;
    const clientId = outbox.device.client_id;
    const { mustLeaveClientId, wroteEffects } = await puller.pull(signal);
    signal.throwIfAborted();
    await settleOutbox(outbox, view, { mustLeaveClientId, hasPullEnded: true });
    pusher.onPulled();
    check.requireAgreementAfterPull();
    // Another round must follow if settling changed the client id. It must also follow if the pull only wrote verified
    // effects while the device has more mutations to push or changes to pull.
    const hasMore = wroteEffects && (pusher.unpushedCount > 0 || this.#options.hasNews());
    if (outbox.device.client_id !== clientId || hasMore) this.dispatch({ type: 'roundDue' });
    const { anotherRound, afterPull } = this.state$.value;
    if (pusher.unpushedCount > 0 && !anotherRound && !afterPull) {
      // A pull may lack pushed mutations for a while. If two pulls in a row lack them, the cursor has skipped a change,
      // so the next pull brings all records.
      if (++this.#pullsMissingPushedMutations === 2) puller.requestFullPull();
      throw new SyncError(pushedMutationsMissingFailure(this.#pullsMissingPushedMutations));
    }
    this.#pullsMissingPushedMutations = 0;
    return { type: 'pulled' };
  }

  #runStep(work: (signal: AbortSignal) => Promise<SyncEvent>): void {
    const controller = new AbortController();
    this.#controller = controller;
    this.restartWatchdog();
    work(controller.signal)
      .then(
        (event) => {
          if (!controller.signal.aborted) this.dispatch(event);
        },
        (error: unknown) => {
          // The watchdog handles storage that hangs: after two stalls, this tab gives up the lead.
          if (controller.signal.aborted || isStorageTimeout(error)) return;
          this.dispatch({ type: 'failed', failure: this.#toFailure(error), random: this.#options.random() });
        },
      )
      // Cancels the request for the next page that a failed pull may have sent already.
      .finally(() => controller.abort());
  }

  #toFailure(error: unknown): SyncFailure {
    if (error instanceof SyncError) return error.failure;
    return error instanceof RequestError
      ? this.#options.check.failureOfOtherRequest(error.failure)
      : localFailure(error);
  }
}

/**
 * Builds the failure of a pull that lacks pushed mutations. The device pushes these mutations again after the wait.
 * This is safe, since the server takes each sequence number only once.
 */
const pushedMutationsMissingFailure = (times: number): SyncFailure => ({
  kind: 'busy',
  problem: deviceProblemOf({
    code: 'unavailable',
    detail: 'The server said that it has the work, and does not show it yet.',
  }),
  retryAfterMs: backoffMsAfter(times, 1),
});

export const isAtRest = ({ phase }: SyncState): boolean => phase !== 'pushing' && phase !== 'pulling';

/** Settles the outbox by the last pull. `pullEnd` is passed only when a pull has just ended. */
const settleOutbox = (
  outbox: Outbox,
  view: View,
  pullEnd?: Pick<PulledState, 'mustLeaveClientId' | 'hasPullEnded'>,
): Promise<void> => outbox.writer.settle(() => view.pulledState && { ...view.pulledState, ...pullEnd });

const isStorageTimeout = (error: unknown): boolean => error instanceof GembaError && error.code === 'storage_timeout';

/**
 * Builds the failure for an error on this device. The status shows the error, and the next round comes after a wait.
 */
function localFailure(error: unknown): SyncFailure {
  assert(error instanceof Error, 'only errors are thrown');
  const problem = deviceProblemOf({ code: 'internal_error', detail: `On this device: ${error.message}` });
  return { kind: 'busy', problem, retryAfterMs: null, isLocal: true };
}
