/**
 * Runs the sync state machine: carries out its effects and feeds it what came of them. Only the leading tab's is told of
 * the network, the outbox and the server's news; that of another tab rests until it is asked.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import { problemOf } from '../../shared/protocol/problem.ts';
import type { Clock } from '../clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import { SyncFailure, type Failure } from './failure.ts';
import { initialSyncState, next, type Effect, type Repair, type SyncEvent, type SyncState } from './machine.ts';
import type { Puller } from './pull.ts';
import type { Pusher } from './push.ts';

export interface LoopOptions {
  clock: Clock;
  random: () => number;
  outbox: Outbox;
  view: View;
  pusher: Pusher;
  puller: Puller;
}

export class Loop {
  readonly state$ = new BehaviorSubject<SyncState>(initialSyncState);
  readonly #options: LoopOptions;
  #cancelTimer: () => void = () => {};
  #stopped = false;
  /** Aborts the exchange under way, a push or a pull; each has its own, so that what comes late is known as such. */
  #exchange = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  dispatch(event: SyncEvent): void {
    if (this.#stopped) return;
    const { state, effects } = next(this.state$.value, event);
    if (state.phase !== this.state$.value.phase) this.#cancelTimer();
    this.state$.next(state);
    for (const effect of effects) this.#carryOut(effect);
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
        return this.#run((signal) => this.#pull(signal));
      case 'wait':
        this.#cancelTimer = this.#options.clock.schedule(effect.ms, () => this.dispatch({ type: 'timer' }));
        return;
      case 'abort':
        this.#exchange.abort();
    }
  }

  async #push(signal: AbortSignal, first: Repair | undefined): Promise<SyncEvent> {
    const { pusher, outbox, view } = this.#options;
    if (first === 'splitBatch') pusher.splitBatch();
    if (first === 'offerAgain') await outbox.offerAgain();
    // A crash between the last pull and its settling leaves this to do.
    await settle(outbox, view);
    return { type: 'pushed', ...(await pusher.push(signal)) };
  }

  async #pull(signal: AbortSignal): Promise<SyncEvent> {
    const { puller, outbox, view } = this.#options;
    const clientId = outbox.device.client_id;
    const { carried } = await puller.walk(signal);
    await settle(outbox, view, carried);
    if (outbox.device.client_id !== clientId) this.dispatch({ type: 'mutated' });
    return { type: 'pulled' };
  }

  #run(work: (signal: AbortSignal) => Promise<SyncEvent>): void {
    const exchange = new AbortController();
    this.#exchange = exchange;
    work(exchange.signal).then(
      (event) => {
        if (!exchange.signal.aborted) this.dispatch(event);
      },
      (error: unknown) => {
        if (exchange.signal.aborted) return;
        this.dispatch({ type: 'failed', failure: failureOfError(error), random: this.#options.random() });
      },
    );
  }
}

async function settle(outbox: Outbox, view: View, carried = false): Promise<void> {
  const { cursor } = view.base;
  if (cursor) await outbox.settle({ client: view.client, epoch: cursor.epoch, carried });
}

/** The device's own storage may fail too; that is tried again like a server that is busy, and told. */
function failureOfError(error: unknown): Failure {
  if (error instanceof SyncFailure) return error.failure;
  assert(error instanceof Error, 'only errors are thrown');
  const problem = problemOf({ code: 'internal_error', detail: `On this device: ${error.message}` });
  return { kind: 'busy', problem, retryAfterMs: null };
}
