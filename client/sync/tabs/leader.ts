/** The sync of the tab that leads, put together: it listens, pushes, pulls and tells how far it got. */
import { BehaviorSubject, firstValueFrom, type Observable, Subscription } from 'rxjs';
import { distinctUntilChanged, filter } from 'rxjs/operators';
import { isoTime, type Clock } from '../../core/clock.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { RecordBody } from '../../storage/rows.ts';
import type { Table } from '../../storage/table.ts';
import type { View } from '../../view/view.ts';
import type { RecordKind } from '../../../shared/protocol/pull.ts';
import { Feed } from '../net/feed.ts';
import { isAtRest, Loop } from '../cycle/loop.ts';
import { initialSyncState } from '../cycle/sync-state.ts';
import { Puller } from '../cycle/pull.ts';
import { Pusher } from '../cycle/push.ts';
import type { Told } from './tab-channel.ts';
import type { Leading } from './tabs.ts';
import type { Transport } from '../net/transport.ts';

interface LeaderOptions {
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  transport: Transport;
  clock: Clock;
  random: () => number;
  kinds: readonly RecordKind[];
  /** Nothing is left to sync for now. */
  onRest: () => void;
}

export class Leader implements Leading {
  readonly #view: View;
  readonly #loop: Loop;
  readonly #feed: Feed;
  readonly #pusher: Pusher;
  readonly #told: BehaviorSubject<Told>;
  readonly #subscriptions = new Subscription();
  readonly #now: () => string;
  readonly #onRest: () => void;
  /** Mutations made since the outbox was last empty. */
  #made = 0;
  /** How far the walk under way is, between its pages, too. */
  #walked: Told['progress'] = null;

  /** `before` is what the leader before told. */
  constructor({ records, outbox, view, transport, clock, random, kinds, onRest }: LeaderOptions, before: Told) {
    this.#onRest = onRest;
    this.#view = view;
    this.#now = () => isoTime(clock.wallMs());
    const onProgress = (changes: number) => {
      this.#loop.moved();
      this.#walked = { done: changes, total: null };
      this.#tell({ progress: this.#progress() });
    };
    const onSend = (ms: number) => this.#loop.moved(ms);
    this.#pusher = new Pusher({ outbox, view, transport, now: this.#now, onSend });
    const puller = new Puller({
      records,
      base: view.base,
      outbox,
      transport,
      kinds,
      vouch: (page) => this.#pusher.vouch(page),
      disowned: (clientId) => this.#pusher.disowned(clientId),
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
      initial,
      restMs: before.restMs ?? 0,
    });
    this.#feed = new Feed({
      transport,
      clock,
      random,
      cursor: () => view.base.cursor?.cursor,
      onNews: () => this.#loop.dispatch({ type: 'poked' }),
      onLost: () => {
        if (this.#told.value.state.phase === 'idle') this.#loop.dispatch({ type: 'poked' });
      },
    });
    this.#told = new BehaviorSubject<Told>({ ...before, state: initial, progress: null });
    this.#subscriptions.add(this.#watchPending());
    this.#subscriptions.add(this.#watchState());
    this.#subscriptions.add(records.onWritten('observer', () => this.#loop.moved()));
    this.#subscriptions.add(this.#watchNetwork());
  }

  get restMs(): number {
    return this.#loop.restMs;
  }

  get told$(): Observable<Told> {
    return this.#told.pipe(distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)));
  }

  async ask(elsewhere: boolean): Promise<void> {
    // Of what the other tab made no word may have come yet.
    if (elsewhere) this.#loop.dispatch({ type: 'mutated' });
    this.#loop.dispatch({ type: 'asked' });
    await firstValueFrom(this.#loop.state$.pipe(filter(isAtRest)), { defaultValue: undefined });
  }

  stop(): void {
    this.#subscriptions.unsubscribe();
    this.#feed.stop();
    this.#loop.stop();
    this.#told.complete();
  }

  #tell(news: Partial<Told>): void {
    this.#told.next({ ...this.#told.value, ...news });
  }

  #watchPending(): Subscription {
    let before = 0;
    return this.#view.changed$.subscribe(() => {
      const pending = this.#view.pending.length;
      this.#made = pending === 0 ? 0 : this.#made + Math.max(0, pending - before);
      if (pending > before) this.#loop.dispatch({ type: 'mutated' });
      before = pending;
      this.#tell({ progress: this.#progress() });
    });
  }

  /** Blocked or without a network there is nothing to hear. */
  #watchState(): Subscription {
    return this.#loop.state$.pipe(distinctUntilChanged()).subscribe((state) => {
      const { phase } = state;
      if (phase === 'blocked' || phase === 'offline') this.#feed.stop();
      else if (phase === 'idle' || phase === 'waiting') this.#feed.start();
      if (phase === 'idle') this.#onRest();
      if (phase !== 'pulling') this.#walked = null;
      this.#tell({
        state,
        ...(phase === 'idle' ? { lastSyncedAt: this.#now() } : {}),
        progress: this.#progress(),
      });
    });
  }

  /** Of what is to be pushed; a pull tells its own while there is nothing of that. */
  #progress(): Told['progress'] {
    return this.#made === 0 ? this.#walked : { done: this.#made - this.#pusher.left, total: this.#made };
  }

  #watchNetwork(): Subscription {
    const tell = () =>
      this.#loop.dispatch(isOffline() ? { type: 'offline' } : { type: 'online', restMs: this.#loop.restMs });
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
