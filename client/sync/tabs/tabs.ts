/**
 * The tabs of a device: one tab leads, the others follow, and all tabs show the leader's status.
 *
 *   the tab with the lock `leader`                       the other tabs, which wait for the lock
 *   ┌────────────────────────────┐     snapshot, 20 s    ┌────────────────────────────┐
 *   │ Leader: the loop, the feed │ ──── and when new ──► │ show the snapshot          │
 *   │                            │ ◄────── hello ─────── │ just opened, leader silent │
 *   │                            │ ◄─────── ask ──────── │ sync()                     │
 *   └────────────────────────────┘ ── round ended ─────► └────────────────────────────┘
 *
 * When the leading tab closes, the next tab gets the lock. When the leader is silent (frozen or hanging), another tab
 * steals the lock. A leader whose sync stalled twice releases the lock, since the storage may work in another tab. The
 * new leader announces itself, and then the other tabs send it the requests for a round that the old leader did not
 * fulfil.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Clock } from '../../core/clock.ts';
import type { IdGenerator } from '../../core/ids.ts';
import type { Locks } from '../../core/locks.ts';
import { stallMsMax } from '../cycle/machine.ts';
import { initialSnapshot, type TabChannel, type TabMessage, type SyncSnapshot } from './tab-channel.ts';

/** The sync of the leading tab. The option `lead` starts it, and `stop` ends it. */
export interface LeaderRole {
  snapshot$: Observable<SyncSnapshot>;
  /** Starts a round at once, and resolves when it has ended. `isFromOtherTab`: another tab asked for it. */
  runRound(isFromOtherTab: boolean): Promise<void>;
  /**
   * How many milliseconds the current wait still lasts, if no event of the server may end it (such as a wait that the
   * server asked for). Otherwise 0.
   */
  readonly retryAfterMs: number;
  stop(): void;
}

interface TabsOptions {
  channel: TabChannel;
  locks: Locks;
  clock: Clock;
  ids: IdGenerator;
  /** Starts the sync in this tab. `snapshot` is the previous leader's last snapshot. */
  lead: (snapshot: SyncSnapshot) => LeaderRole;
  /** Called when another tab begins to lead. */
  onNewLeader: () => void;
}

/** How often the leader sends a snapshot. The timer of a background tab may fire up to a minute late. */
export const heartbeatIntervalMs = 20_000;
/**
 * A silent leader gets a last `hello` and must answer within this time, or another tab steals the lock. A leader that
 * was silent because the device slept can still answer in time.
 */
export const helloReplyMsMax = 10_000;
/** A leader gives up the lead after this many stalled rounds. */
const stallsMax = 2;

export class Tabs {
  readonly #options: TabsOptions;
  readonly #snapshot = new BehaviorSubject<SyncSnapshot>(initialSnapshot);
  readonly #stopped = new AbortController();
  /** This tab's open requests for a round: the request id, and the function that resolves the request. */
  readonly #roundRequests = new Map<string, () => void>();
  #leader: LeaderRole | undefined;
  /**
   * When the leader's wait ends, if no event of the server may end it, by this tab's monotonic clock. The next leader
   * waits until this time, too.
   */
  #waitUntil = 0;
  /** Cancels this tab's only timer: the leader's next snapshot, or a follower's timeout for a silent leader. */
  #cancelTimer: () => void = () => {};

  constructor(options: TabsOptions) {
    this.#options = options;
    options.channel.listen((message) => this.#onMessage(message));
    options.channel.post({ type: 'hello' });
    this.#watchLeader();
    void this.#waitToLead();
  }

  get snapshot$(): Observable<SyncSnapshot> {
    return this.#snapshot.asObservable();
  }

  /**
   * Asks the leader for a round at once. Resolves when the round has ended, even with a failure, or when this tab
   * closes.
   */
  async requestRound(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const id = this.#options.ids.uuid();
    const ended = new Promise<void>((resolve) => this.#roundRequests.set(id, resolve));
    this.#sendRoundRequest(id);
    await ended;
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelTimer();
    this.#options.channel.close();
    for (const id of this.#roundRequests.keys()) this.#fulfilRoundRequest(id);
    this.#snapshot.complete();
  }

  async #waitToLead(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) await this.#options.locks.hold('leader', { signal }, (lockLost) => this.#lead(lockLost));
  }

  /**
   * Steals the lock from a silent leader. An old leader that still runs does no harm: the server takes each sequence
   * number only once, and no tab writes a pull after another tab has stored a newer cursor.
   */
  #stealLead(): void {
    const { signal } = this.#stopped;
    void this.#options.locks.hold('leader', { signal, steal: true }, (lockLost) => this.#lead(lockLost));
  }

  /** Leads until this tab stops, loses the lock, or has stalled twice. */
  #lead(lockLost: AbortSignal): Promise<void> {
    if (this.#stopped.signal.aborted) return Promise.resolve();
    const { channel, lead } = this.#options;
    const leader = lead({
      ...this.#snapshot.value,
      retryAfterMs: this.#waitUntil - this.#options.clock.monotonicMs(),
    });
    this.#leader = leader;
    channel.post({ type: 'leads' });
    return new Promise((resolve) => {
      const end = () => {
        if (this.#leader !== leader) return;
        this.#leader = undefined;
        this.#setWaitEnd(leader.retryAfterMs);
        leader.stop();
        this.#sendRoundRequests();
        this.#watchLeader();
        resolve();
      };
      for (const signal of [lockLost, this.#stopped.signal]) signal.addEventListener('abort', end, { once: true });
      leader.snapshot$.subscribe((snapshot) => {
        this.#snapshot.next(snapshot);
        this.#sendSnapshot();
        if (snapshot.state.stalls >= stallsMax) end();
      });
      this.#sendRoundRequests();
    });
  }

  #sendSnapshot(): void {
    const retryAfterMs = this.#leader?.retryAfterMs ?? 0;
    this.#options.channel.post({ type: 'snapshot', snapshot: { ...this.#snapshot.value, retryAfterMs } });
    this.#schedule(heartbeatIntervalMs, () => this.#sendSnapshot());
  }

  #setWaitEnd(ms = 0): void {
    this.#waitUntil = this.#options.clock.monotonicMs() + ms;
  }

  #watchLeader(): void {
    this.#schedule(stallMsMax - helloReplyMsMax, () => {
      this.#options.channel.post({ type: 'hello' });
      this.#schedule(helloReplyMsMax, () => this.#stealLead());
    });
  }

  #onMessage(message: TabMessage): void {
    switch (message.type) {
      case 'hello':
        if (this.#leader) this.#sendSnapshot();
        return;
      case 'leads':
        if (!this.#leader) this.#watchLeader();
        this.#options.onNewLeader();
        return this.#sendRoundRequests();
      case 'snapshot':
        // The sender has lost the lead without knowing it. This leader's snapshot replaces the sender's in all tabs.
        if (this.#leader) return this.#sendSnapshot();
        this.#watchLeader();
        this.#setWaitEnd(message.snapshot.retryAfterMs);
        return this.#snapshot.next(message.snapshot);
      case 'ask':
        return this.#onRoundRequest(message.id);
      case 'roundEnded':
        this.#fulfilRoundRequest(message.id);
    }
  }

  #sendRoundRequests(): void {
    for (const id of this.#roundRequests.keys()) this.#sendRoundRequest(id);
  }

  #sendRoundRequest(id: string): void {
    if (this.#leader) this.#runRound(false, () => this.#fulfilRoundRequest(id));
    else if (!this.#stopped.signal.aborted) this.#options.channel.post({ type: 'ask', id });
  }

  #onRoundRequest(id: string): void {
    if (this.#leader) this.#runRound(true, () => this.#options.channel.post({ type: 'roundEnded', id }));
  }

  /** Reports the end of the round only if this tab still leads. Otherwise the next leader runs the round again. */
  #runRound(isFromOtherTab: boolean, reportEnd: () => void): void {
    const leader = this.#leader;
    void leader?.runRound(isFromOtherTab).then(() => {
      if (this.#leader === leader) reportEnd();
    });
  }

  #fulfilRoundRequest(id: string): void {
    this.#roundRequests.get(id)?.();
    this.#roundRequests.delete(id);
  }

  #schedule(ms: number, call: () => void): void {
    this.#cancelTimer();
    if (!this.#stopped.signal.aborted) this.#cancelTimer = this.#options.clock.schedule(ms, call);
  }
}
