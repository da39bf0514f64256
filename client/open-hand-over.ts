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
import { Holders } from './hand-over/holders.ts';
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
   * True to stay on the channel: while the carrier is online, the engine syncs by way of it as over a network, and what
   * is left is handed over when it is not. Default: false.
   */
  live?: boolean;
  /** Called when more was given, or the server was proven to have more. */
  onProgress?: (progress: HandOverProgress) => void;
}

/** A carrier that has a recording of this device. */
export interface HeldByCarrier {
  /** Since when, by the clock of this device, in ISO 8601. */
  at: string;
  /** True once a pull has proven that the server has the recording. */
  proven: boolean;
}

export interface HandOverVerbs {
  /**
   * Gives a carrier what the server may lack, and takes the answers that it brought. Resolves at the end of the
   * channel, whose streams nobody else may read or write, and which it closes; also when the engine closes. Errors:
   * `unauthorized` if this device is not paired, `unreachable` if it never had the keys of its server.
   */
  handOver(channel: ByteChannel, options?: HandOverOptions): Promise<HandOverResult>;
  /** Returns what a hand-over would give now. Errors: those of `handOver`. */
  previewHandOver(): Promise<HandOverProgress>;
  /** Emits the carriers that have the recording. Their word proves nothing: `custody$` tells what the server has. */
  carriers$(recordingSessionId: string): Observable<HeldByCarrier[]>;
  /**
   * Returns what this device shows as codes of `bytesPerCode` bytes, 1 to 240 (the default). Errors: those of
   * `handOver`.
   */
  showCodes(options?: { bytesPerCode?: number }): Promise<ShownCodes>;
  /**
   * Takes the receipt that a phone shows after it delivered what it read from this screen: `XXXX-XXXX` in Crockford's
   * base32; case, spaces and hyphens do not matter. A message has 5 wrong tries.
   */
  enterReceipt(typed: string): Promise<ReceiptEntry>;
  /** Emits what a typed receipt said of the recording, which a person trusts; `custody$` waits for a pull. */
  receipt$(recordingSessionId: string): Observable<ReceiptOutcome>;
  /** Emits why the server refuses what this device hands over, such as `unauthorized` after it was revoked, or null. */
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
  const holders = new Holders(table, () => clock.wallMs());
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
  /** The live channels, the newest last. */
  const openFetches: LiveFetch[] = [];
  const liveMode: LiveMode = {
    isLeading: () => detour.onChange !== undefined,
    open({ onClosed, ...given }) {
      const close = () => {
        openFetches.splice(openFetches.indexOf(opened), 1);
        if (detour.carrierFetch === opened.fetch) setCarrierFetch(detour, openFetches.at(-1)?.fetch);
        onClosed();
      };
      const { schedule } = clock;
      const opened = new LiveFetch({ ...given, keys, url, network: fetch, schedule, onClosed: close });
      openFetches.push(opened);
      setCarrierFetch(detour, opened.fetch);
      void sync();
      return opened;
    },
  };
  const links = new Set<FrameLink>();
  const refreshing = status$.subscribe(({ phase }) => {
    // A device that is closed meanwhile asks the next time.
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
      // A pull tells that the server was restored.
      merge(changed$, view.changed$).pipe(
        map(() => receipts.outcomeOf(session)),
        distinctUntilChanged(),
      ),
    rememberKeys: async (list) => {
      await keys.remember(list);
      // A pairing has a network, and does not wait for this.
      void keys.refresh();
    },
    carriers$: (session) =>
      custody$({ view, outbox, recordings }, session).pipe(
        switchMap((custody) =>
          changed$.pipe(map(() => holders.timesOf(session).map((at) => ({ at, proven: custody === 'server' })))),
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
