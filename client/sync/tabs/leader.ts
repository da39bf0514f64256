/** Runs the sync of the leading tab: listens for news, pushes, pulls and publishes snapshots of its progress. */
import { BehaviorSubject, firstValueFrom, type Observable, Subscription } from 'rxjs';
import { distinctUntilChanged, filter } from 'rxjs/operators';
import { isoTime, type Clock } from '../../core/clock.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { RecordBody } from '../../storage/rows.ts';
import type { Table } from '../../storage/table.ts';
import type { View } from '../../view/view.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import { Feed } from '../net/feed.ts';
import { isAtRest, Loop } from '../cycle/loop.ts';
import { initialSyncState } from '../cycle/sync-state.ts';
import { Puller } from '../cycle/pull.ts';
import { Pusher } from '../cycle/push.ts';
import { Isolation } from '../cycle/isolation.ts';
import { SequenceCheck } from '../cycle/sequence-check.ts';
import type { SyncSnapshot } from './tab-channel.ts';
import type { Leading } from './tabs.ts';
import type { Transport } from '../net/transport.ts';

interface LeaderOptions {
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  transport: Transport;
  clock: Clock;
  random: () => number;
  kinds: readonly PullableKind[];
  /** Called when a round ended and nothing is left to sync. */
  onIdle: () => void;
}

export class Leader implements Leading {
  readonly #view: View;
  readonly #loop: Loop;
  readonly #feed: Feed;
  readonly #pusher: Pusher;
  readonly #snapshot: BehaviorSubject<SyncSnapshot>;
  readonly #subscriptions = new Subscription();
  readonly #now: () => string;
  readonly #onIdle: () => void;
  /** Mutations made since the outbox was last empty. */
  #made = 0;
  /** How many changes the present pull has brought so far; null while no pull runs. */
  #pullProgress: SyncSnapshot['progress'] = null;

  /** `before` is the last snapshot of the previous leader. */
  constructor({ records, outbox, view, transport, clock, random, kinds, onIdle }: LeaderOptions, before: SyncSnapshot) {
    this.#onIdle = onIdle;
    this.#view = view;
    this.#now = () => isoTime(clock.wallMs());
    const onProgress = (changes: number) => {
      this.#loop.restartWatchdog();
      this.#pullProgress = { done: changes, total: null };
      this.#publish({ progress: this.#progress() });
    };
    const onSend = (ms: number) => this.#loop.restartWatchdog(ms);
    const check = new SequenceCheck({ outbox, view, transport });
    const isolation = new Isolation({ outbox, transport, check });
    this.#pusher = new Pusher({ outbox, view, transport, check, isolation, now: this.#now, onSend });
    const puller = new Puller({
      records,
      base: view.base,
      outbox,
      transport,
      kinds,
      check,
      now: this.#now,
      onProgress,
    });
    const initial = { ...initialSyncState, error: before.state.error };
    this.#loop = new Loop({
      clock,
      random,
      outbox,
      view,
      pusher: this.#pusher,
      puller,
      check,
      isolation,
      initial,
      retryAfterMs: before.retryAfterMs ?? 0,
    });
    this.#feed = new Feed({
      transport,
      clock,
      random,
      cursor: () => view.base.cursor?.cursor,
      onNews: () => this.#loop.dispatch({ type: 'poked' }),
      onLost: () => {
        if (this.#snapshot.value.state.phase === 'idle') this.#loop.dispatch({ type: 'poked' });
      },
    });
    this.#snapshot = new BehaviorSubject<SyncSnapshot>({ ...before, state: initial, progress: null });
    this.#subscriptions.add(this.#watchPending());
    this.#subscriptions.add(this.#watchState());
    this.#subscriptions.add(records.onWrite('observer', () => this.#loop.restartWatchdog()));
    this.#subscriptions.add(this.#watchNetwork());
  }

  get retryAfterMs(): number {
    return this.#loop.retryAfterMs;
  }

  get snapshot$(): Observable<SyncSnapshot> {
    return this.#snapshot.pipe(distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)));
  }

  async ask(elsewhere: boolean): Promise<void> {
    // This tab may not have seen the other tab's mutations yet, so a round under way is followed by another round.
    if (elsewhere) this.#loop.dispatch({ type: 'mutated' });
    this.#loop.dispatch({ type: 'asked' });
    await firstValueFrom(this.#loop.state$.pipe(filter(isAtRest)), { defaultValue: undefined });
  }

  stop(): void {
    this.#subscriptions.unsubscribe();
    this.#feed.stop();
    this.#loop.stop();
    this.#snapshot.complete();
  }

  #publish(news: Partial<SyncSnapshot>): void {
    this.#snapshot.next({ ...this.#snapshot.value, ...news });
  }

  #watchPending(): Subscription {
    let before = 0;
    return this.#view.changed$.subscribe(() => {
      const pending = this.#view.unsettled.length;
      this.#made = pending === 0 ? 0 : this.#made + Math.max(0, pending - before);
      if (pending > before) this.#loop.dispatch({ type: 'mutated' });
      before = pending;
      this.#publish({ progress: this.#progress() });
    });
  }

  /** Stops the feed while the sync is blocked or offline. */
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

  /** The progress of the push; if there is nothing to push, the progress of the pull. */
  #progress(): SyncSnapshot['progress'] {
    return this.#made === 0 ? this.#pullProgress : { done: this.#made - this.#pusher.left, total: this.#made };
  }

  #watchNetwork(): Subscription {
    const tell = () =>
      this.#loop.dispatch(
        isOffline() ? { type: 'offline' } : { type: 'online', retryAfterMs: this.#loop.retryAfterMs },
      );
    tell();
    if (typeof window === 'undefined') return new Subscription();
    window.addEventListener('online', tell);
    window.addEventListener('offline', tell);
    return new Subscription(() => {
      window.removeEventListener('online', tell);
      window.removeEventListener('offline', tell);
    });
  }
}

const isOffline = (): boolean => typeof window !== 'undefined' && navigator.onLine === false;
