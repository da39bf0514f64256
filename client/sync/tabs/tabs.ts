/**
 * The tabs of a device: one leads, the others follow, and all show the same.
 *
 *   the tab with the lock `leader`                       the others, who wait for the lock
 *   ┌────────────────────────────┐     snapshot, 20 s    ┌────────────────────────────┐
 *   │ Leader: the loop, the feed │ ──── and when new ──► │ snapshot$, as its own      │
 *   │                            │ ◄────── hello ─────── │ just opened, or in doubt   │
 *   │                            │ ◄─────── ask ──────── │ sync()                     │
 *   └────────────────────────────┘ ─────── idle ───────► └────────────────────────────┘
 *
 * A leader that dies leaves the lock to the next tab. A leader that is silent, frozen or hanging has the lock stolen. A
 * leader whose sync stalled twice releases it, since another tab's storage may work. The next leader says so, and tabs
 * repeat what they asked of the previous one.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import type { Locks } from '../../core/locks.ts';
import { stallMsMax } from '../cycle/machine.ts';
import { initialSnapshot, type TabChannel, type TabMessage, type SyncSnapshot } from './tab-channel.ts';

/** The work of a tab while it leads. */
export interface Leading {
  snapshot$: Observable<SyncSnapshot>;
  /** Starts a round at once and resolves when it ended; `elsewhere` says that another tab asked. */
  ask(elsewhere: boolean): Promise<void>;
  /** The rest of the time that the server asked for. */
  readonly retryAfterMs: number;
  stop(): void;
}

interface TabsOptions {
  channel: TabChannel;
  locks: Locks;
  clock: Clock;
  ids: Ids;
  /** Begins to lead, from the last snapshot. */
  lead: (snapshot: SyncSnapshot) => Leading;
}

/** The leader sends a snapshot this often; a background tab's timers may be late by a minute. */
export const heartbeatMs = 20_000;
/** A silent leader is asked once more before it is deposed: one that slept with the whole device answers. */
export const answerMsMax = 10_000;
const stallsMax = 2;

export class Tabs {
  readonly #options: TabsOptions;
  readonly #snapshot = new BehaviorSubject<SyncSnapshot>(initialSnapshot);
  readonly #stopped = new AbortController();
  /** The asks of this tab that wait for the end of a round. */
  readonly #asks = new Map<string, () => void>();
  #leading: Leading | undefined;
  /** The end of the time that the server asked the previous leader for, by this tab's monotonic clock. */
  #waitUntil = 0;
  /** Cancels the next heartbeat of a leader, or the silence timeout of a follower. */
  #cancelTimer: () => void = () => {};

  constructor(options: TabsOptions) {
    this.#options = options;
    options.channel.listen((message) => this.#hear(message));
    options.channel.post({ type: 'hello' });
    this.#awaitWord();
    void this.#compete();
  }

  get snapshot$(): Observable<SyncSnapshot> {
    return this.#snapshot.asObservable();
  }

  /** Syncs at once; resolves when the leader's round ended, however it ended, or this tab is closed. */
  async ask(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const id = this.#options.ids.uuid();
    const idle = new Promise<void>((resolve) => this.#asks.set(id, resolve));
    this.#hand(id);
    await idle;
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelTimer();
    this.#options.channel.close();
    for (const id of this.#asks.keys()) this.#endAsk(id);
    this.#snapshot.complete();
  }

  async #compete(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) await this.#options.locks.hold('leader', { signal }, (lost) => this.#lead(lost));
  }

  /** A deposed leader does no harm: the server knows each mutation by its number, and a pull checks its cursor. */
  #depose(): void {
    const { signal } = this.#stopped;
    void this.#options.locks.hold('leader', { signal, steal: true }, (lost) => this.#lead(lost));
  }

  /** Leads until this tab is stopped, is deposed or has stalled twice. */
  #lead(lost: AbortSignal): Promise<void> {
    if (this.#stopped.signal.aborted) return Promise.resolve();
    const { channel, lead } = this.#options;
    const leading = lead({
      ...this.#snapshot.value,
      retryAfterMs: this.#waitUntil - this.#options.clock.monotonicMs(),
    });
    this.#leading = leading;
    channel.post({ type: 'leads' });
    return new Promise((resolve) => {
      const end = () => {
        if (this.#leading !== leading) return;
        this.#leading = undefined;
        this.#waitFor(leading.retryAfterMs);
        leading.stop();
        this.#handAll();
        this.#awaitWord();
        resolve();
      };
      for (const signal of [lost, this.#stopped.signal]) signal.addEventListener('abort', end, { once: true });
      leading.snapshot$.subscribe((snapshot) => {
        this.#snapshot.next(snapshot);
        this.#tell();
        if (snapshot.state.stalls >= stallsMax) end();
      });
      this.#handAll();
    });
  }

  #tell(): void {
    const retryAfterMs = this.#leading?.retryAfterMs ?? 0;
    this.#options.channel.post({ type: 'snapshot', snapshot: { ...this.#snapshot.value, retryAfterMs } });
    this.#schedule(heartbeatMs, () => this.#tell());
  }

  #waitFor(ms = 0): void {
    this.#waitUntil = this.#options.clock.monotonicMs() + ms;
  }

  #awaitWord(): void {
    this.#schedule(stallMsMax - answerMsMax, () => {
      this.#options.channel.post({ type: 'hello' });
      this.#schedule(answerMsMax, () => this.#depose());
    });
  }

  #hear(message: TabMessage): void {
    switch (message.type) {
      case 'hello':
        if (this.#leading) this.#tell();
        return;
      case 'leads':
        if (!this.#leading) this.#awaitWord();
        return this.#handAll();
      case 'snapshot':
        // The sender was deposed and does not know it yet, so this leader's snapshot must be the last one.
        if (this.#leading) return this.#tell();
        this.#awaitWord();
        this.#waitFor(message.snapshot.retryAfterMs);
        return this.#snapshot.next(message.snapshot);
      case 'ask':
        return this.#askedElsewhere(message.id);
      case 'idle':
        this.#endAsk(message.id);
    }
  }

  #handAll(): void {
    for (const id of this.#asks.keys()) this.#hand(id);
  }

  #hand(id: string): void {
    if (this.#leading) this.#askHere(false, () => this.#endAsk(id));
    else if (!this.#stopped.signal.aborted) this.#options.channel.post({ type: 'ask', id });
  }

  #askedElsewhere(id: string): void {
    if (this.#leading) this.#askHere(true, () => this.#options.channel.post({ type: 'idle', id }));
  }

  /** Tells of the rest only while it still leads; otherwise the next leader does. */
  #askHere(elsewhere: boolean, tellIdle: () => void): void {
    const leading = this.#leading;
    void leading?.ask(elsewhere).then(() => {
      if (this.#leading === leading) tellIdle();
    });
  }

  #endAsk(id: string): void {
    this.#asks.get(id)?.();
    this.#asks.delete(id);
  }

  #schedule(ms: number, call: () => void): void {
    this.#cancelTimer();
    if (!this.#stopped.signal.aborted) this.#cancelTimer = this.#options.clock.schedule(ms, call);
  }
}
