/**
 * Runs the sync in the leading tab: listens to the server's events, pushes, pulls, and publishes snapshots of its
 * state.
 */
import { BehaviorSubject, firstValueFrom, type Observable, Subscription } from 'rxjs';
import { distinctUntilChanged, filter } from 'rxjs/operators';
import { isoTime, type Clock } from '../../core/clock.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { RecordBody } from '../../storage/rows.ts';
import type { Table } from '../../storage/table.ts';
import type { View } from '../../view/view.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import type { Detour } from '../net/detour.ts';
import { EventFeed } from '../net/feed.ts';
import { isAtRest, SyncLoop } from '../cycle/loop.ts';
import { initialSyncState } from '../cycle/sync-state.ts';
import { Puller } from '../cycle/pull.ts';
import { Pusher } from '../cycle/push.ts';
import { Batcher } from '../cycle/batcher.ts';
import { VerifiedEffects } from '../cycle/effects/verified-effects.ts';
import type { PullScope } from '../scope/hooks.ts';
import { SequenceCheck } from '../cycle/sequence-check.ts';
import type { SyncSnapshot } from './tab-channel.ts';
import type { LeaderRole } from './tabs.ts';
import type { Transport } from '../net/transport.ts';

interface LeaderOptions {
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  transport: Transport;
  clock: Clock;
  random: () => number;
  kinds: readonly PullableKind[];
  /** Whether the pushes of this device ask the server for their effects. */
  asksEffects: boolean;
  /** The part of the runs that the device pulls; absent if it pulls all runs. */
  scope?: PullScope | undefined;
  /** While `detour.carrierFetch` is set, the device counts as online even if the platform says that it is offline. */
  detour?: Detour;
  /** Called when a round has ended and nothing is left to sync. */
  onIdle: () => void;
}

export class Leader implements LeaderRole {
  readonly #view: View;
  readonly #loop: SyncLoop;
  readonly #feed: EventFeed;
  readonly #pusher: Pusher;
  readonly #snapshot: BehaviorSubject<SyncSnapshot>;
  readonly #subscriptions = new Subscription();
  readonly #now: () => string;
  readonly #onIdle: () => void;
  /**
   * Counts the mutations made since all mutations were last settled. A push shows its progress as a part of this count.
   */
  #madeCount = 0;
  /** The progress of the current pull; null while no pull runs. */
  #pullProgress: SyncSnapshot['progress'] = null;

  constructor(
    { records, outbox, view, transport, clock, random, kinds, asksEffects, scope, detour, onIdle }: LeaderOptions,
    previousSnapshot: SyncSnapshot,
  ) {
    this.#onIdle = onIdle;
    this.#view = view;
    this.#now = () => isoTime(clock.wallMs());
    const onProgress = (changes: number) => {
      this.#loop.restartWatchdog();
      this.#pullProgress = { done: changes, total: null };
      this.#publish({ progress: this.#progress() });
    };
    const onUpload = (ms: number) => this.#loop.restartWatchdog(ms);
    const check = new SequenceCheck({ outbox, view, transport });
    const batcher = new Batcher({ outbox, transport, check });
    const verified = new VerifiedEffects({ base: view.base, outbox, kinds, asksEffects });
    this.#pusher = new Pusher({
      outbox,
      view,
      transport,
      check,
      batcher,
      verified,
      now: this.#now,
      clock,
      onUpload,
    });
    const puller = new Puller({
      records,
      base: view.base,
      outbox,
      transport,
      kinds,
      check,
      verified,
      scope,
      now: this.#now,
      onProgress,
    });
    const initial = { ...initialSyncState, error: previousSnapshot.state.error };
    this.#loop = new SyncLoop({
      clock,
      random,
      outbox,
      view,
      pusher: this.#pusher,
      puller,
      check,
      batcher,
      hasNews: () => this.#feed.hasNews,
      initial,
      retryAfterMs: previousSnapshot.retryAfterMs ?? 0,
    });
    this.#feed = new EventFeed({
      transport,
      clock,
      random,
      isKnown: (newest) => newest === view.base.cursor?.cursor || verified.knows(newest),
      onChanges: () => this.#loop.dispatch({ type: 'pullDue' }),
      onLost: () => {
        if (this.#snapshot.value.state.phase === 'idle') this.#loop.dispatch({ type: 'pullDue' });
      },
    });
    this.#snapshot = new BehaviorSubject<SyncSnapshot>({ ...previousSnapshot, state: initial, progress: null });
    this.#subscriptions.add(this.#watchUnsettled());
    this.#subscriptions.add(this.#watchState());
    this.#subscriptions.add(records.onWrite('observer', () => this.#loop.restartWatchdog()));
    this.#subscriptions.add(this.#watchNetwork(detour));
  }

  get retryAfterMs(): number {
    return this.#loop.retryAfterMs;
  }

  get snapshot$(): Observable<SyncSnapshot> {
    return this.#snapshot.pipe(distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)));
  }

  async runRound(isFromOtherTab: boolean): Promise<void> {
    // Makes another round follow the current one, since the current round may lack the other tab's mutations.
    if (isFromOtherTab) this.#loop.dispatch({ type: 'roundDue' });
    this.#loop.dispatch({ type: 'asked' });
    await firstValueFrom(this.#loop.state$.pipe(filter(isAtRest)), { defaultValue: undefined });
  }

  stop(): void {
    this.#subscriptions.unsubscribe();
    this.#feed.stop();
    this.#loop.stop();
    this.#snapshot.complete();
  }

  #publish(changes: Partial<SyncSnapshot>): void {
    this.#snapshot.next({ ...this.#snapshot.value, ...changes });
  }

  #watchUnsettled(): Subscription {
    let previous = 0;
    return this.#view.changed$.subscribe(() => {
      const unsettled = this.#view.unsettled.length;
      this.#madeCount = unsettled === 0 ? 0 : this.#madeCount + Math.max(0, unsettled - previous);
      if (unsettled > previous) this.#loop.dispatch({ type: 'roundDue' });
      previous = unsettled;
      this.#publish({ progress: this.#progress() });
    });
  }

  /** Publishes each state. Listens to the server's events, but not while the sync is blocked or offline. */
  #watchState(): Subscription {
    return this.#loop.state$.pipe(distinctUntilChanged()).subscribe((state) => {
      const { phase } = state;
      if (phase === 'blocked' || phase === 'offline') this.#feed.stop();
      else if (phase === 'idle' || phase === 'waiting') this.#feed.start();
      if (phase === 'idle') this.#onIdle();
      if (phase !== 'pulling') this.#pullProgress = null;
      this.#publish({
        state,
        ...(phase === 'idle' ? { lastSyncedAt: this.#now() } : {}),
        progress: this.#progress(),
      });
    });
  }

  /** Returns the progress of the push, or of the pull if no mutation is unsettled. */
  #progress(): SyncSnapshot['progress'] {
    return this.#madeCount === 0
      ? this.#pullProgress
      : { done: this.#madeCount - this.#pusher.unpushedCount, total: this.#madeCount };
  }

  #watchNetwork(detour: Detour = {}): Subscription {
    const reportNetwork = () =>
      this.#loop.dispatch(
        isOffline() && !detour.carrierFetch
          ? { type: 'offline' }
          : { type: 'online', retryAfterMs: this.#loop.retryAfterMs },
      );
    reportNetwork();
    detour.onChange = reportNetwork;
    const endDetour = () => {
      if (detour.onChange === reportNetwork) detour.onChange = undefined;
    };
    if (typeof window === 'undefined') return new Subscription(endDetour);
    window.addEventListener('online', reportNetwork);
    window.addEventListener('offline', reportNetwork);
    return new Subscription(() => {
      endDetour();
      window.removeEventListener('online', reportNetwork);
      window.removeEventListener('offline', reportNetwork);
    });
  }
}

const isOffline = (): boolean => typeof window !== 'undefined' && navigator.onLine === false;
