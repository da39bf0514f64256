/** Composes the part of the engine that hands its work over to carriers. */
import { merge, Observable } from 'rxjs';
import { distinctUntilChanged, map, startWith, switchMap } from 'rxjs/operators';
import type { Problem } from '../shared/protocol/problem.ts';
import type { PullableKind } from '../shared/protocol/pullable-kinds.ts';
import { serverNameOf } from '../shared/relay/frames.ts';
import { isoTime, type Clock } from './core/clock.ts';
import type { Lifetime } from './core/lifetime.ts';
import type { Locks } from './core/locks.ts';
import { DeviceSession } from './hand-over/device-session.ts';
import { openHandOverTable } from './hand-over/hand-over-table.ts';
import { HandOvers } from './hand-over/hand-overs.ts';
import { MessageHolders } from './hand-over/message-holders.ts';
import { Receipts, type ReceiptEntry, type ReceiptOutcome } from './hand-over/receipts.ts';
import { LiveFetch } from './hand-over/live/live-fetch.ts';
import { MeetingCount, type HandOverProgress, type HandOverResult, type LiveMode } from './hand-over/meeting.ts';
import { RelayKeys } from './hand-over/relay-keys.ts';
import { SealedMessages } from './hand-over/sealed-messages.ts';
import { showCodes, type ShownCodes } from './hand-over/shown-codes.ts';
import { StoredPull } from './hand-over/stored-pull.ts';
import type { Outbox } from './outbox/outbox.ts';
import { custody$ } from './recording/custody.ts';
import type { Recordings } from './recording/recordings.ts';
import { FrameLink, type ByteChannel } from './relay/frame-link.ts';
import type { DeviceTables } from './storage/device-tables.ts';
import type { Detour } from './sync/net/detour.ts';
import type { AttachedScope } from './sync/scope/hooks.ts';
import type { Status } from './sync/tabs/status.ts';
import type { View } from './view/view.ts';

/** The parts of the engine that a hand-over needs. */
export interface HandOverEngine {
  options: { url: string; token?: string; fetch?: typeof globalThis.fetch };
  store: Pick<DeviceTables, 'openTable' | 'records'>;
  outbox: Outbox;
  view: View;
  recordings: Recordings;
  clock: Pick<Clock, 'schedule' | 'wallMs'>;
  lifetime: Lifetime;
  kinds: readonly PullableKind[];
  scope: AttachedScope | undefined;
  locks: Pick<Locks, 'exclusive'>;
  detour: Detour;
  /** Starts a round of the sync. */
  sync(): Promise<void>;
}

export interface HandOverOptions {
  /**
   * True to keep the channel open. While the carrier is online, the engine syncs through the channel as over a network.
   * When the carrier is offline, the engine hands over its unsent work. Default: false.
   */
  live?: boolean;
  /** Called when the carrier got more work, or when this device learned that the server has more. */
  onProgress?: (progress: HandOverProgress) => void;
}

/** A carrier that holds a recording of this device. */
export interface HeldByCarrier {
  /** When the carrier got the recording, by this device's clock, in ISO 8601. */
  at: string;
  /** True once a pull has proven that the server has the recording. */
  proven: boolean;
}

export interface HandOverVerbs {
  /**
   * Gives a carrier the work that the server may lack, and takes the answers that the carrier brought. Closes the
   * channel at its end. Errors: `unauthorized` if unpaired, `unreachable` without the server's keys.
   */
  handOver(channel: ByteChannel, options?: HandOverOptions): Promise<HandOverResult>;
  /** Returns the progress with which a hand-over would begin now. Errors: the errors of `handOver`. */
  previewHandOver(): Promise<HandOverProgress>;
  /** Emits the carriers that hold the recording. Only `custody$` tells whether the server has the recording. */
  carriers$(recordingSessionId: string): Observable<HeldByCarrier[]>;
  /**
   * Returns the QR codes that hand this device's work over by its screen. A code has `bytesPerCode` bytes, 1 to 240
   * (the default). Errors: the errors of `handOver`.
   */
  showCodes(options?: { bytesPerCode?: number }): Promise<ShownCodes>;
  /**
   * Takes the receipt of work that a phone read from this device's screen and delivered. The phone shows it as
   * `XXXX-XXXX` in Crockford's base32; case, spaces and hyphens do not matter. Each message allows 5 wrong tries.
   */
  enterReceipt(typed: string): Promise<ReceiptEntry>;
  /**
   * Emits the outcome of the recording according to typed receipts. People may trust it; `custody$` waits for a pull.
   */
  receipt$(recordingSessionId: string): Observable<ReceiptOutcome>;
  /**
   * Emits the problem for which the server refuses the handed-over work, such as `unauthorized` after the device was
   * revoked; null if there is none.
   */
  handOverProblem$: Observable<Problem | null>;
}

export interface OpenedHandOver extends HandOverVerbs {
  rememberKeys(list: string): Promise<void>;
}

export async function openHandOver(engine: HandOverEngine & { status$: Observable<Status> }): Promise<OpenedHandOver> {
  const { options, store, outbox, view, recordings, clock, lifetime, kinds, scope, status$ } = engine;
  const { locks, detour, sync } = engine;
  const { url } = options;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const table = await openHandOverTable(store, clock.schedule);
  const server = await serverNameOf(new URL(url).origin);
  const messages = new SealedMessages(table);
  const keys = new RelayKeys({ table, url, fetch, clock });
  const holders = new MessageHolders(table, () => clock.wallMs());
  const receipts = new Receipts({
    table,
    messages,
    holders,
    now: () => isoTime(clock.wallMs()),
    epoch: () => view.base.cursor?.epoch,
  });
  const pull = new StoredPull({
    table,
    records: store.records,
    outbox,
    view,
    kinds,
    scope: scope?.pull,
    url,
    clock,
    now: () => isoTime(clock.wallMs()),
    signal: lifetime.signal,
  });
  const token = () => options.token ?? outbox.device.token;
  const inTurn = <Result>(work: () => Promise<Result>) => locks.exclusive('hand-over', work);
  const handOvers = new HandOvers({ table, messages, keys, pull, outbox, view, token, inTurn });
  /** The `LiveFetch` of each live channel whose carrier is online, the newest last. */
  const liveFetches: LiveFetch[] = [];
  const liveMode: LiveMode = {
    isLeading: () => detour.onChange !== undefined,
    open({ onClosed, ...given }) {
      const close = () => {
        liveFetches.splice(liveFetches.indexOf(opened), 1);
        if (detour.carrierFetch === opened.fetch) setCarrierFetch(detour, liveFetches.at(-1)?.fetch);
        onClosed();
      };
      const { schedule } = clock;
      const opened = new LiveFetch({ ...given, keys, url, network: fetch, schedule, onClosed: close });
      liveFetches.push(opened);
      setCarrierFetch(detour, opened.fetch);
      void sync();
      return opened;
    },
  };
  const links = new Set<FrameLink>();
  const refreshing = status$.subscribe(({ phase }) => {
    // Ignores a failure, since the device asks again when it is next idle.
    if (phase === 'idle') keys.refresh().catch(() => undefined);
  });
  lifetime.signal.addEventListener('abort', () => {
    refreshing.unsubscribe();
    for (const link of links) void link.close();
  });
  const changed$ = new Observable<void>((subscriber) => table.onWrite('observer', () => subscriber.next())).pipe(
    startWith(undefined),
  );
  return {
    handOver: (channel, { live = false, onProgress } = {}) =>
      lifetime.runUnawaited(async () => {
        const link = new FrameLink(channel, clock.schedule);
        links.add(link);
        try {
          await keys.ensureKnown();
          return await new DeviceSession({
            link,
            messages,
            handOvers,
            holders,
            count: new MeetingCount({ view, onProgress }),
            server,
            schedule: clock.schedule,
            live: live ? liveMode : undefined,
          }).run();
        } finally {
          links.delete(link);
        }
      }),
    previewHandOver: () =>
      lifetime.runUnawaited(async () => {
        await keys.ensureKnown();
        const count = new MeetingCount({ view });
        count.plan(await handOvers.prepare());
        return count.progress;
      }),
    showCodes: ({ bytesPerCode } = {}) =>
      lifetime.runUnawaited(async () => {
        await keys.ensureKnown();
        return showCodes({ server, handOvers, messages, holders, receipts, view, bytesPerCode });
      }),
    enterReceipt: (typed) => lifetime.runUnawaited(() => receipts.enter(typed)),
    receipt$: (session) =>
      // Listens to the view, too: after a pull from a restored server, receipts no longer count.
      merge(changed$, view.changed$).pipe(
        map(() => receipts.outcomeOf(session)),
        distinctUntilChanged(),
      ),
    rememberKeys: async (list) => {
      await keys.remember(list);
      // Fetches the current keys without waiting for them. The device has a network now, since it was just paired.
      void keys.refresh();
    },
    carriers$: (session) =>
      custody$({ view, outbox, recordings }, session).pipe(
        switchMap((custody) =>
          changed$.pipe(map(() => holders.heldSince(session).map((at) => ({ at, proven: custody === 'server' })))),
        ),
        distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
      ),
    handOverProblem$: changed$.pipe(
      map(() => handOvers.problem),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    ),
  };
}

function setCarrierFetch(detour: Detour, carrierFetch: Detour['carrierFetch']): void {
  detour.carrierFetch = carrierFetch;
  detour.fetch = detour.trace?.(carrierFetch) ?? carrierFetch;
  detour.onChange?.();
}
