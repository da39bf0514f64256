/**
 * Traces the latest rounds of the sync with their requests. While the trace is off, it does not touch the requests.
 *
 *   syncing ─► a round is open: it takes the requests ─► any other phase ends it
 *   between two rounds, requests such as the event stream have an entry of their own
 */
import { Subject, type Subscription } from 'rxjs';
import { isoTime } from '../core/clock.ts';
import type { Detour } from '../sync/net/detour.ts';
import type { Status } from '../sync/tabs/status.ts';
import { kindAndIdOf } from '../storage/rows.ts';
import type { ObservedEngine } from './inspected-engine.ts';
import type { SyncRequest, SyncRound, TraceFacts } from './shapes.ts';
import { tracedFetch } from './traced-fetch.ts';

export const roundsMax = 50;
export const requestsPerRoundMax = 40;

type TracedEngine = Pick<ObservedEngine, 'options' | 'outbox' | 'view' | 'store' | 'clock' | 'detour' | 'status$'>;

interface OpenRound {
  round: SyncRound;
  startedMs: number;
}

export class SyncTrace {
  readonly changed$ = new Subject<void>();
  readonly #engine: TracedEngine;
  /** The traced rounds, the oldest first. */
  #rounds: SyncRound[] = [];
  #open: OpenRound | undefined;
  #begunAt: string | null = null;
  #subscriptions: Subscription | undefined;

  constructor(engine: TracedEngine) {
    this.#engine = engine;
  }

  get facts(): TraceFacts {
    return {
      is_on: this.#subscriptions !== undefined,
      begun_at: this.#begunAt,
      // Only the tab that leads the sync sets `onChange`.
      leads: this.#engine.detour.onChange !== undefined,
      rounds: this.#rounds.toReversed().map((round) => ({ ...round, requests: round.requests.map(copyRequest) })),
    };
  }

  start(): void {
    if (this.#subscriptions) return;
    const { detour, options, clock, status$, store } = this.#engine;
    const network = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#begunAt = this.#now();
    setTrace(detour, (carrierFetch) =>
      tracedFetch(carrierFetch ?? network, {
        by: carrierFetch ? 'carrier' : 'network',
        now: () => this.#now(),
        monotonicMs: () => clock.monotonicMs(),
        nextPush: () => this.#nextPush(),
        onRequest: (request) => this.#addRequest(request),
        onChange: () => this.changed$.next(),
      }),
    );
    this.#subscriptions = status$.subscribe((status) => this.#onStatus(status));
    this.#subscriptions.add(
      store.records.onWrite('observer', (written) => {
        const records = written.filter(({ id }) => ['map', 'run'].includes(kindAndIdOf(id)[0]));
        if (this.#open) this.#open.round.records_written += records.length;
      }),
    );
    this.changed$.next();
  }

  stop(): void {
    if (!this.#subscriptions) return;
    setTrace(this.#engine.detour, undefined);
    this.#subscriptions.unsubscribe();
    this.#subscriptions = undefined;
    // An open round gets `between` instead of a phase, since the stopped trace will not see the round's last phase.
    if (this.#open) this.#open.round.outcome = 'between';
    this.#open = undefined;
    this.changed$.next();
  }

  #now(): string {
    return isoTime(this.#engine.clock.wallMs());
  }

  /**
   * Tells which mutations the next push sends. Forwarded mutations without an answer go first. `sent_seq` is null for a
   * push of forwarded mutations, since the trace does not know how many mutations the push has.
   */
  #nextPush(): Pick<SyncRequest, 'client_id' | 'sent_seq'> {
    const { outbox, view } = this.#engine;
    const earlier = view.unsettled.find((entry) => entry.state === 'forwarded' && entry.answer === undefined);
    if (earlier) return { client_id: earlier.client_id, sent_seq: null };
    return { client_id: outbox.device.client_id, sent_seq: outbox.device.offered_seq ?? null };
  }

  #onStatus({ phase, error }: Status): void {
    if (phase === 'syncing') {
      if (!this.#open) this.#open = { round: this.#addRound('syncing'), startedMs: this.#engine.clock.monotonicMs() };
    } else if (this.#open) {
      const { round, startedMs } = this.#open;
      this.#open = undefined;
      round.ms = this.#engine.clock.monotonicMs() - startedMs;
      round.outcome = phase;
      round.error = error?.code ?? null;
      round.waiting_after = this.#engine.view.waiting.length;
    } else return;
    this.changed$.next();
  }

  #addRound(outcome: SyncRound['outcome']): SyncRound {
    const waiting = this.#engine.view.waiting.length;
    const round: SyncRound = {
      at: this.#now(),
      ms: null,
      outcome,
      error: null,
      waiting_before: waiting,
      waiting_after: waiting,
      records_written: 0,
      requests: [],
      requests_left_out: 0,
    };
    this.#rounds = [...this.#rounds, round].slice(-roundsMax);
    return round;
  }

  #addRequest(request: SyncRequest): void {
    const last = this.#rounds.at(-1);
    const round = this.#open?.round ?? (last?.outcome === 'between' ? last : this.#addRound('between'));
    round.requests.push(request);
    if (round.requests.length > requestsPerRoundMax) {
      round.requests.shift();
      round.requests_left_out++;
    }
    this.changed$.next();
  }
}

const copyRequest = (request: SyncRequest): SyncRequest => ({ ...request });

function setTrace(detour: Detour, trace: Detour['trace']): void {
  detour.trace = trace;
  detour.fetch = trace?.(detour.carrierFetch) ?? detour.carrierFetch;
}
