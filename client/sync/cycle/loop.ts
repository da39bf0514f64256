/**
 * Runs the sync state machine: carries out its effects and feeds it their outcome. A watchdog ends a round in which nothing
 * moves, since a promise of the device's storage may never resolve.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../../shared/domain/assert.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { Clock } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { Pulled } from '../../outbox/model/settlement.ts';
import type { View } from '../../view/view.ts';
import { SyncFailure, type Failure } from './failure.ts';
import { backoffMs } from './backoff.ts';
import { next, stallMsMax } from './machine.ts';
import type { SyncEffect, Repair, SyncEvent, SyncState } from './sync-state.ts';
import type { Puller } from './pull.ts';
import type { Pusher } from './push.ts';

interface LoopOptions {
  clock: Clock;
  random: () => number;
  outbox: Outbox;
  view: View;
  pusher: Pusher;
  puller: Puller;
  initial: SyncState;
  /** The rest of the wait that the leader before was asked for. */
  retryAfterMs: number;
}

export class Loop {
  readonly state$: BehaviorSubject<SyncState>;
  readonly #options: LoopOptions;
  /** Each phase has one timer: the watchdog of a round, or the end of a wait. */
  #cancelTimer: () => void = () => {};
  #stopped = false;
  /** The end of the wait, by the monotonic clock; it stands even if the network goes meanwhile. */
  #waitUntil: number;
  /** Pulls in a row without what was pushed before them. */
  #unshown = 0;
  /** Why the last exchange failed. */
  #failure: Failure | undefined;
  /** Aborts the push or pull under way. Each has its own, so that a late outcome is dropped. */
  #exchange = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
    this.state$ = new BehaviorSubject(options.initial);
    this.#waitUntil = options.clock.monotonicMs() + options.retryAfterMs;
  }

  dispatch(event: SyncEvent): void {
    if (this.#stopped) return;
    const { state, effects } = next(this.state$.value, event);
    if (state.phase !== this.state$.value.phase) this.#cancelTimer();
    // The state is told together with the rest of the wait, so the wait is set first.
    for (const effect of effects) {
      const ms = effect.do === 'wait' && state.phase === 'waiting' ? effect.ms : 0;
      if (effect.do !== 'abort') this.#waitUntil = this.#options.clock.monotonicMs() + ms;
    }
    this.state$.next(state);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** Restarts the watchdog; the next step may take `ms` longer than usual. */
  moved(ms = 0): void {
    if (!isAtRest(this.state$.value)) this.#schedule(stallMsMax + ms, 'stalled');
  }

  /** The rest of a wait that the server asked for or caused by failing; 0 without one. */
  get retryAfterMs(): number {
    const { phase, unreachable } = this.state$.value;
    const isResting = (phase === 'waiting' || phase === 'offline') && !unreachable;
    return isResting ? Math.max(0, this.#waitUntil - this.#options.clock.monotonicMs()) : 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#exchange.abort();
    this.#cancelTimer();
    this.state$.complete();
  }

  #carryOut(effect: SyncEffect): void {
    switch (effect.do) {
      case 'push':
        return this.#run((signal) => this.#push(signal, effect.first));
      case 'pull':
        if (effect.afresh) this.#options.puller.resync();
        return this.#run((signal) => this.#pull(signal));
      case 'wait':
        return this.#schedule(effect.ms, 'timer');
      case 'abort':
        this.#exchange.abort();
    }
  }

  #schedule(ms: number, type: 'timer' | 'stalled'): void {
    this.#cancelTimer();
    if (!this.#stopped) this.#cancelTimer = this.#options.clock.schedule(ms, () => this.dispatch({ type }));
  }

  async #push(signal: AbortSignal, first: Repair | undefined): Promise<SyncEvent> {
    const { pusher, outbox, view } = this.#options;
    if (first === 'splitBatch') await pusher.splitBatch();
    if (first === 'isolate') await pusher.isolate(this.#failure!, signal);
    if (first === 'resendAll') await outbox.sequence.resendAll(pusher.clientId);
    if (first === 'forkSequence') await outbox.sequence.fork(pusher.conflict);
    // A crash may have come between the last pull and its settling.
    await settle(outbox, view);
    signal.throwIfAborted();
    return { type: 'pushed', ...(await pusher.push(signal)) };
  }

  async #pull(signal: AbortSignal): Promise<SyncEvent> {
    const { puller, pusher, outbox, view } = this.#options;
    const clientId = outbox.device.client_id;
    const { ofEarlierToken } = await puller.pull(signal);
    signal.throwIfAborted();
    await settle(outbox, view, { ofEarlierToken, isPullEnd: true });
    pusher.onPulled();
    // Work that was numbered anew is pushed in another round.
    if (outbox.device.client_id !== clientId) this.dispatch({ type: 'mutated' });
    const { again, afterPull } = this.state$.value;
    if (pusher.left > 0 && !again && !afterPull) {
      // Once, it may be late. Twice, this device has lost the record that would show it.
      if (++this.#unshown === 2) puller.resync();
      throw new SyncFailure(notShown(this.#unshown));
    }
    this.#unshown = 0;
    return { type: 'pulled' };
  }

  #run(work: (signal: AbortSignal) => Promise<SyncEvent>): void {
    const exchange = new AbortController();
    this.#exchange = exchange;
    this.moved();
    work(exchange.signal).then(
      (event) => {
        if (!exchange.signal.aborted) this.dispatch(event);
      },
      (error: unknown) => {
        // The watchdog handles a storage that hangs: it lets another tab lead.
        if (exchange.signal.aborted || isStorageTimeout(error)) return;
        const failure = failureOfError(error);
        this.#failure = failure;
        this.dispatch({ type: 'failed', failure, random: this.#options.random() });
      },
    );
  }
}

/** The server said that it took work that the pull does not show: push it again later, which does no harm if it has it. */
const notShown = (times: number): Failure => ({
  kind: 'busy',
  problem: problemOf({
    code: 'unavailable',
    detail: 'The server said that it has the work, and does not show it yet.',
  }),
  retryAfterMs: backoffMs(times, 1),
});

export const isAtRest = ({ phase }: SyncState): boolean => phase !== 'pushing' && phase !== 'pulling';

/** `pullEnd` is known only at the end of a pull. */
async function settle(
  outbox: Outbox,
  view: View,
  pullEnd: Pick<Pulled, 'ofEarlierToken' | 'isPullEnd'> = {},
): Promise<void> {
  const { pulled } = view;
  if (pulled) await outbox.writer.settle({ ...pulled, ...pullEnd });
}

const isStorageTimeout = (error: unknown): boolean => error instanceof GembaError && error.code === 'storage_timeout';

/** A failure of the device's own storage is retried like a busy server, and shown. */
function failureOfError(error: unknown): Failure {
  if (error instanceof SyncFailure) return error.failure;
  assert(error instanceof Error, 'only errors are thrown');
  const problem = problemOf({ code: 'internal_error', detail: `On this device: ${error.message}` });
  return { kind: 'busy', problem, retryAfterMs: null, isLocal: true };
}
