/**
 * The tabs of a device: one leads, the others follow, and all show the same.
 *
 *   the tab with the lock `leader`                       the other tabs, which wait for the lock
 *   ┌────────────────────────────┐     snapshot, 20 s    ┌────────────────────────────┐
 *   │ Leader: the loop, the feed │ ──── and when new ──► │ snapshot$, as its own      │
 *   │                            │ ◄────── hello ─────── │ just opened, or in doubt   │
 *   │                            │ ◄─────── ask ──────── │ sync()                     │
 *   └────────────────────────────┘ ─────── idle ───────► └────────────────────────────┘
 *
 * When the leading tab closes, the next tab gets the lock. When the leader is silent (frozen or hanging), another tab steals
 * the lock. A leader whose sync stalled twice releases the lock, since storage may work in another tab. The new leader
 * announces itself, and the other tabs ask again for each round that they still wait for.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Clock } from '../../core/clock.ts';
import type { IdGenerator } from '../../core/ids.ts';
import type { Locks } from '../../core/locks.ts';
import { stallMsMax } from '../cycle/machine.ts';
import { initialSnapshot, type TabChannel, type TabMessage, type SyncSnapshot } from './tab-channel.ts';

/** The work of the tab that leads, from its start to `stop`. */
export interface Leading {
  snapshot$: Observable<SyncSnapshot>;
  /** Starts a round at once and resolves when the round ended; `elsewhere` means that another tab asked for the round. */
  ask(elsewhere: boolean): Promise<void>;
  /** How much longer the server asked this device to wait. */
  readonly retryAfterMs: number;
  stop(): void;
}

interface TabsOptions {
  channel: TabChannel;
  locks: Locks;
  clock: Clock;
  ids: IdGenerator;
  /** Starts to lead, beginning with the previous leader's last snapshot. */
  lead: (snapshot: SyncSnapshot) => Leading;
}

/** How often the leader sends a snapshot. In a background tab, its timer may fire up to a minute late. */
export const heartbeatMs = 20_000;
/**
 * How long a silent leader has to answer a last `hello` before it is deposed. A leader that was silent only because the
 * whole device slept does answer.
 */
export const answerMsMax = 10_000;
const stallsMax = 2;

export class Tabs {
  readonly #options: TabsOptions;
  readonly #snapshot = new BehaviorSubject<SyncSnapshot>(initialSnapshot);
  readonly #stopped = new AbortController();
  /** This tab's unanswered requests for a round: resolves each when its round ended. */
  readonly #asks = new Map<string, () => void>();
  #leading: Leading | undefined;
  /** Until when the server asked the previous leader to wait, by this tab's monotonic clock. */
  #waitUntil = 0;
  /** Cancels the next heartbeat of a leader, or the silence timeout of a follower. */
  #cancelTimer: () => void = () => {};

  constructor(options: TabsOptions) {
    this.#options = options;
    options.channel.listen((message) => this.#onMessage(message));
    options.channel.post({ type: 'hello' });
    this.#watchLeader();
    void this.#compete();
  }

  get snapshot$(): Observable<SyncSnapshot> {
    return this.#snapshot.asObservable();
  }

  /** Asks for a round at once; resolves when that round ended, even with a failure, or when this tab is closed. */
  async ask(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const id = this.#options.ids.uuid();
    const idle = new Promise<void>((resolve) => this.#asks.set(id, resolve));
    this.#sendAsk(id);
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

  /** A deposed leader that still runs is harmless: the server takes each number once, and a pull checks its cursor. */
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
        this.#sendAsks();
        this.#watchLeader();
        resolve();
      };
      for (const signal of [lost, this.#stopped.signal]) signal.addEventListener('abort', end, { once: true });
      leading.snapshot$.subscribe((snapshot) => {
        this.#snapshot.next(snapshot);
        this.#sendSnapshot();
        if (snapshot.state.stalls >= stallsMax) end();
      });
      this.#sendAsks();
    });
  }

  #sendSnapshot(): void {
    const retryAfterMs = this.#leading?.retryAfterMs ?? 0;
    this.#options.channel.post({ type: 'snapshot', snapshot: { ...this.#snapshot.value, retryAfterMs } });
    this.#schedule(heartbeatMs, () => this.#sendSnapshot());
  }

  #waitFor(ms = 0): void {
    this.#waitUntil = this.#options.clock.monotonicMs() + ms;
  }

  #watchLeader(): void {
    this.#schedule(stallMsMax - answerMsMax, () => {
      this.#options.channel.post({ type: 'hello' });
      this.#schedule(answerMsMax, () => this.#depose());
    });
  }

  #onMessage(message: TabMessage): void {
    switch (message.type) {
      case 'hello':
        if (this.#leading) this.#sendSnapshot();
        return;
      case 'leads':
        if (!this.#leading) this.#watchLeader();
        return this.#sendAsks();
      case 'snapshot':
        // The sender was deposed and does not know it yet, so this leader's snapshot must be the last one.
        if (this.#leading) return this.#sendSnapshot();
        this.#watchLeader();
        this.#waitFor(message.snapshot.retryAfterMs);
        return this.#snapshot.next(message.snapshot);
      case 'ask':
        return this.#onAsk(message.id);
      case 'idle':
        this.#endAsk(message.id);
    }
  }

  #sendAsks(): void {
    for (const id of this.#asks.keys()) this.#sendAsk(id);
  }

  #sendAsk(id: string): void {
    if (this.#leading) this.#askHere(false, () => this.#endAsk(id));
    else if (!this.#stopped.signal.aborted) this.#options.channel.post({ type: 'ask', id });
  }

  #onAsk(id: string): void {
    if (this.#leading) this.#askHere(true, () => this.#options.channel.post({ type: 'idle', id }));
  }

  /** Reports the end of the round only if this tab still leads; otherwise the next leader runs a round and reports that. */
  #askHere(elsewhere: boolean, reportIdle: () => void): void {
    const leading = this.#leading;
    void leading?.ask(elsewhere).then(() => {
      if (this.#leading === leading) reportIdle();
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
