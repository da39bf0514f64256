/** The sync of one device, put together: it leads where no other tab does, listens, pushes, pulls and tells how far it got. */
import { BehaviorSubject, firstValueFrom, type Observable, Subscription } from 'rxjs';
import { filter } from 'rxjs/operators';
import { isoTime, type Clock } from '../clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { RecordBody } from '../store/rows.ts';
import type { Table } from '../store/table.ts';
import type { Locks } from '../store/locks.ts';
import type { View } from '../view/view.ts';
import type { RecordKind } from '../../shared/protocol/pull.ts';
import { Feed } from './feed.ts';
import { Loop } from './loop.ts';
import type { SyncState } from './machine.ts';
import { Puller } from './pull.ts';
import { Pusher } from './push.ts';
import type { Progress } from './status.ts';
import type { Transport } from './transport.ts';

export interface SyncOptions {
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  transport: Transport;
  locks: Locks;
  clock: Clock;
  random: () => number;
  kinds: readonly RecordKind[];
}

export class Sync {
  readonly #view: View;
  readonly #loop: Loop;
  readonly #feed: Feed;
  readonly #pusher: Pusher;
  readonly #progress = new BehaviorSubject<Progress | null>(null);
  readonly #stopped = new AbortController();
  readonly #subscriptions = new Subscription();
  readonly #now: () => string;
  /** When a round last came to its end in this life. */
  lastSyncedAt: string | undefined;
  /** Mutations made since the outbox was last empty. */
  #made = 0;

  constructor({ records, outbox, view, transport, locks, clock, random, kinds }: SyncOptions) {
    this.#view = view;
    this.#now = () => isoTime(clock.wallMs());
    const onProgress = (changes: number) => {
      if (this.#made === 0) this.#progress.next({ done: changes, total: null });
    };
    this.#pusher = new Pusher({ outbox, view, transport, now: this.#now });
    const puller = new Puller({ records, base: view.base, outbox, transport, kinds, now: this.#now, onProgress });
    this.#loop = new Loop({ clock, random, outbox, view, pusher: this.#pusher, puller });
    this.#feed = new Feed({
      transport,
      clock,
      random,
      cursor: () => view.base.cursor?.cursor,
      onNews: () => this.#loop.dispatch({ type: 'poked' }),
    });
    void locks.hold('leader', this.#stopped.signal, () => this.#lead());
  }

  get state$(): Observable<SyncState> {
    return this.#loop.state$;
  }

  get progress$(): Observable<Progress | null> {
    return this.#progress;
  }

  /** Starts a round at once and resolves when it came to rest, however it ended. */
  async ask(): Promise<void> {
    this.#loop.dispatch({ type: 'asked' });
    await firstValueFrom(this.#loop.state$.pipe(filter(isAtRest)), { defaultValue: undefined });
  }

  stop(): void {
    this.#stopped.abort();
    this.#subscriptions.unsubscribe();
    this.#feed.stop();
    this.#loop.stop();
    this.#progress.complete();
  }

  /** Leads until it is stopped; the lock goes to another tab then, also when this one dies. */
  #lead(): Promise<void> {
    this.#subscriptions.add(this.#watchPending());
    this.#subscriptions.add(this.#watchPhase());
    this.#subscriptions.add(this.#watchNetwork());
    return new Promise((resolve) => {
      this.#stopped.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #watchPending(): Subscription {
    let before = 0;
    return this.#view.changed$.subscribe(() => {
      const pending = this.#view.pending.length;
      this.#made = pending === 0 ? 0 : this.#made + Math.max(0, pending - before);
      if (pending > before) this.#loop.dispatch({ type: 'mutated' });
      before = pending;
      this.#tellProgress();
    });
  }

  /** Blocked or without a network there is nothing to hear. */
  #watchPhase(): Subscription {
    return this.#loop.state$.subscribe(({ phase }) => {
      if (phase === 'blocked' || phase === 'offline') this.#feed.stop();
      else if (phase === 'idle' || phase === 'waiting') this.#feed.start();
      if (phase === 'idle') this.lastSyncedAt = this.#now();
      if (phase !== 'pulling') this.#tellProgress();
    });
  }

  /** Of what is to be pushed; a pull tells its own while there is nothing of that. */
  #tellProgress(): void {
    this.#progress.next(this.#made === 0 ? null : { done: this.#made - this.#pusher.left, total: this.#made });
  }

  #watchNetwork(): Subscription {
    const tell = () => this.#loop.dispatch({ type: isOffline() ? 'offline' : 'online' });
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

const isAtRest = ({ phase }: SyncState): boolean => phase !== 'pushing' && phase !== 'pulling';
