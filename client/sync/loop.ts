/**
 * Runs the sync state machine: carries out its effects and feeds it what came of them. A watchdog looks whether anything
 * moves in a round: a promise of the device's storage may never resolve, and nothing else would tell.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import { problemOf } from '../../shared/protocol/problem.ts';
import type { Clock } from '../clock.ts';
import { GembaError } from '../errors.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Pulled } from '../outbox/settlement.ts';
import type { View } from '../view/view.ts';
import { SyncFailure, type Failure } from './failure.ts';
import { backoffMs } from './backoff.ts';
import { next, stallMsMax } from './machine.ts';
import type { Effect, Repair, SyncEvent, SyncState } from './sync-state.ts';
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
  /** What the leader before left of the time for which the server wants to be left alone. */
  restMs: number;
}

export class Loop {
  readonly state$: BehaviorSubject<SyncState>;
  readonly #options: LoopOptions;
  /** One timer a phase: of a round its watchdog, of any other what ends it. */
  #cancelTimer: () => void = () => {};
  #stopped = false;
  /** By the monotonic clock: until then the server is left alone, also when the network goes meanwhile. */
  #restUntil: number;
  /** Pulls in a row that did not show what was pushed. */
  #unshown = 0;
  /** Why the last exchange failed. */
  #failure: Failure | undefined;
  /** Aborts the exchange under way, a push or a pull; each has its own, so that what comes late is known as such. */
  #exchange = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
    this.state$ = new BehaviorSubject(options.initial);
    this.#restUntil = options.clock.monotonicMs() + options.restMs;
  }

  dispatch(event: SyncEvent): void {
    if (this.#stopped) return;
    const { state, effects } = next(this.state$.value, event);
    if (state.phase !== this.state$.value.phase) this.#cancelTimer();
    // Before the state is told: the tabs are told with it how long is left.
    for (const effect of effects) {
      const ms = effect.do === 'wait' && state.phase === 'waiting' ? effect.ms : 0;
      if (effect.do !== 'abort') this.#restUntil = this.#options.clock.monotonicMs() + ms;
    }
    this.state$.next(state);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** Something came of the round under way, and the watchdog begins to count anew; what follows may take `ms` longer. */
  moved(ms = 0): void {
    if (!isAtRest(this.state$.value)) this.#schedule(stallMsMax + ms, 'stalled');
  }

  /** What is left of a wait that the server asked for, or that its failing brought about; 0 when it does not wait. */
  get restMs(): number {
    const { phase, unreachable } = this.state$.value;
    const isResting = (phase === 'waiting' || phase === 'offline') && !unreachable;
    return isResting ? Math.max(0, this.#restUntil - this.#options.clock.monotonicMs()) : 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#exchange.abort();
    this.#cancelTimer();
    this.state$.complete();
  }

  #carryOut(effect: Effect): void {
    switch (effect.do) {
      case 'push':
        return this.#run((signal) => this.#push(signal, effect.first));
      case 'pull':
        if (effect.afresh) this.#options.puller.distrust();
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
    if (first === 'offerAgain') await outbox.sequence.offerAgain(pusher.clientId);
    if (first === 'forkSequence') await outbox.sequence.fork(pusher.conflict);
    // A crash between the last pull and its settling leaves this to do.
    await settle(outbox, view);
    signal.throwIfAborted();
    return { type: 'pushed', ...(await pusher.push(signal)) };
  }

  async #pull(signal: AbortSignal): Promise<SyncEvent> {
    const { puller, pusher, outbox, view } = this.#options;
    const clientId = outbox.device.client_id;
    const { ofEarlierToken } = await puller.walk(signal);
    signal.throwIfAborted();
    await settle(outbox, view, { ofEarlierToken, isPullEnd: true });
    pusher.proven();
    // Numbered anew, it is to be pushed in another round.
    if (outbox.device.client_id !== clientId) this.dispatch({ type: 'mutated' });
    const { again, afterPull } = this.state$.value;
    if (pusher.left > 0 && !again && !afterPull) {
      // Once it may only be late. Twice, and what would have told was lost on its way here.
      if (++this.#unshown === 2) puller.distrust();
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
        // A storage that hangs is for the watchdog, which lets another tab lead.
        if (exchange.signal.aborted || isStorageTimeout(error)) return;
        const failure = failureOfError(error);
        this.#failure = failure;
        this.dispatch({ type: 'failed', failure, random: this.#options.random() });
      },
    );
  }
}

/** Said to be taken, and not among what was pulled: pushed again after a while, which does no harm where it was. */
const notShown = (times: number): Failure => ({
  kind: 'busy',
  problem: problemOf({
    code: 'unavailable',
    detail: 'The server said that it has the work, and does not show it yet.',
  }),
  retryAfterMs: backoffMs(times, 1),
});

export const isAtRest = ({ phase }: SyncState): boolean => phase !== 'pushing' && phase !== 'pulling';

/** `walked` is what only the end of a walk tells. */
async function settle(
  outbox: Outbox,
  view: View,
  walked: Pick<Pulled, 'ofEarlierToken' | 'isPullEnd'> = {},
): Promise<void> {
  const { pulled } = view;
  if (pulled) await outbox.settle({ ...pulled, ...walked });
}

const isStorageTimeout = (error: unknown): boolean => error instanceof GembaError && error.code === 'storage_timeout';

/** The device's own storage may fail too; that is tried again like a server that is busy, and told. */
function failureOfError(error: unknown): Failure {
  if (error instanceof SyncFailure) return error.failure;
  assert(error instanceof Error, 'only errors are thrown');
  const problem = problemOf({ code: 'internal_error', detail: `On this device: ${error.message}` });
  return { kind: 'busy', problem, retryAfterMs: null };
}
