/**
 * The tabs of a device: one leads, the others follow, and all show the same.
 *
 *   the tab with the lock `leader`                       the others, who wait for the lock
 *   ┌────────────────────────────┐   told, every 20 s    ┌────────────────────────────┐
 *   │ Leader: the loop, the feed │ ──── and when new ──► │ told$, as if it were theirs│
 *   │                            │ ◄────── hello ─────── │ just opened, or in doubt   │
 *   │                            │ ◄─────── ask ──────── │ sync()                     │
 *   └────────────────────────────┘ ────── rested ──────► └────────────────────────────┘
 *
 * A leader that dies leaves the lock to the next tab. One that is silent, frozen or hanging, has it stolen. One whose sync
 * stood still twice lets go of it: another tab's storage may be well. Whoever leads next says so, and what was asked of
 * the one before is asked again.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import type { Locks } from '../../core/locks.ts';
import { stallMsMax } from '../cycle/machine.ts';
import { untold, type TabChannel, type TabMessage, type Told } from './tab-channel.ts';

/** What a tab does while it leads. */
export interface Leading {
  told$: Observable<Told>;
  /** Starts a round at once and resolves when it came to rest. `elsewhere` when it was another tab that asked. */
  ask(elsewhere: boolean): Promise<void>;
  /** What is left of the time for which the server wants to be left alone. */
  readonly restMs: number;
  stop(): void;
}

interface TabsOptions {
  channel: TabChannel;
  locks: Locks;
  clock: Clock;
  ids: Ids;
  /** Begins to lead, from what was last told. */
  lead: (told: Told) => Leading;
}

/** A background tab's timers may be late by a minute, which is still no silence. */
export const heartbeatMs = 20_000;
/** A silent leader is asked once more before it is deposed; one that only slept, as the whole device did, answers. */
export const answerMsMax = 10_000;
const stallsMax = 2;

export class Tabs {
  readonly #options: TabsOptions;
  readonly #told = new BehaviorSubject<Told>(untold);
  readonly #stopped = new AbortController();
  /** Who waits here for a round to come to rest. */
  readonly #asks = new Map<string, () => void>();
  #leading: Leading | undefined;
  /** Until when, by this tab's monotonic clock, the server wanted to be left alone by the leader before. */
  #restUntil = 0;
  /** While leading until the next heartbeat, while following until the leader counts as silent. */
  #cancelTimer: () => void = () => {};

  constructor(options: TabsOptions) {
    this.#options = options;
    options.channel.listen((message) => this.#hear(message));
    options.channel.post({ type: 'hello' });
    this.#awaitWord();
    void this.#compete();
  }

  get told$(): Observable<Told> {
    return this.#told.asObservable();
  }

  /** Syncs at once; resolves when the round of whoever leads came to rest, however it ended, or this tab is closed. */
  async ask(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const id = this.#options.ids.uuid();
    const rested = new Promise<void>((resolve) => this.#asks.set(id, resolve));
    this.#hand(id);
    await rested;
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelTimer();
    this.#options.channel.close();
    for (const id of this.#asks.keys()) this.#rested(id);
    this.#told.complete();
  }

  async #compete(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) await this.#options.locks.hold('leader', { signal }, (lost) => this.#lead(lost));
  }

  /** What the deposed one still does is harmless: the server knows each mutation by its number, a pull what it continues. */
  #depose(): void {
    const { signal } = this.#stopped;
    void this.#options.locks.hold('leader', { signal, steal: true }, (lost) => this.#lead(lost));
  }

  /** Leads until it is stopped, deposed or at its wits' end. */
  #lead(lost: AbortSignal): Promise<void> {
    if (this.#stopped.signal.aborted) return Promise.resolve();
    const { channel, lead } = this.#options;
    const leading = lead({ ...this.#told.value, restMs: this.#restUntil - this.#options.clock.monotonicMs() });
    this.#leading = leading;
    channel.post({ type: 'leads' });
    return new Promise((resolve) => {
      const end = () => {
        if (this.#leading !== leading) return;
        this.#leading = undefined;
        this.#rest(leading.restMs);
        leading.stop();
        this.#handAll();
        this.#awaitWord();
        resolve();
      };
      for (const signal of [lost, this.#stopped.signal]) signal.addEventListener('abort', end, { once: true });
      leading.told$.subscribe((told) => {
        this.#told.next(told);
        this.#tell();
        if (told.state.stalls >= stallsMax) end();
      });
      this.#handAll();
    });
  }

  #tell(): void {
    const restMs = this.#leading?.restMs ?? 0;
    this.#options.channel.post({ type: 'told', told: { ...this.#told.value, restMs } });
    this.#schedule(heartbeatMs, () => this.#tell());
  }

  #rest(ms = 0): void {
    this.#restUntil = this.#options.clock.monotonicMs() + ms;
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
      case 'told':
        // It was deposed and does not know it yet: the others have to hear this one last.
        if (this.#leading) return this.#tell();
        this.#awaitWord();
        this.#rest(message.told.restMs);
        return this.#told.next(message.told);
      case 'ask':
        return this.#askedElsewhere(message.id);
      case 'rested':
        this.#rested(message.id);
    }
  }

  #handAll(): void {
    for (const id of this.#asks.keys()) this.#hand(id);
  }

  #hand(id: string): void {
    if (this.#leading) this.#askHere(false, () => this.#rested(id));
    else if (!this.#stopped.signal.aborted) this.#options.channel.post({ type: 'ask', id });
  }

  #askedElsewhere(id: string): void {
    if (this.#leading) this.#askHere(true, () => this.#options.channel.post({ type: 'rested', id }));
  }

  /** Tells of the rest only while it still leads; otherwise the next leader does. */
  #askHere(elsewhere: boolean, tellRest: () => void): void {
    const leading = this.#leading!;
    void leading.ask(elsewhere).then(() => {
      if (this.#leading === leading) tellRest();
    });
  }

  #rested(id: string): void {
    this.#asks.get(id)?.();
    this.#asks.delete(id);
  }

  #schedule(ms: number, call: () => void): void {
    this.#cancelTimer();
    if (!this.#stopped.signal.aborted) this.#cancelTimer = this.#options.clock.schedule(ms, call);
  }
}
