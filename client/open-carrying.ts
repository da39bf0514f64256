/** Composes the part of the engine that carries other devices' sealed requests to the server. */
import type { Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { carrierIdOf, serverNameOf } from '../shared/relay/frames.ts';
import type { Clock } from './core/clock.ts';
import type { Lifetime } from './core/lifetime.ts';
import type { Outbox } from './outbox/outbox.ts';
import { CarriedMessages } from './relay/carried-messages.ts';
import { openCarriedTable } from './relay/carried-table.ts';
import { CarrierStation } from './relay/carrier-station.ts';
import { codeReader } from './relay/code-reader.ts';
import type { CarrierVerbs } from './relay/carrier-verbs.ts';
import { OwnWork } from './relay/own-work.ts';
import type { DeviceTables } from './storage/device-tables.ts';
import type { Status } from './sync/tabs/status.ts';
import type { View } from './view/view.ts';

/** The parts of the engine that a carrier needs. */
export interface CarryingEngine {
  options: { url: string; token?: string; fetch?: typeof globalThis.fetch };
  store: Pick<DeviceTables, 'openTable'>;
  outbox: Pick<Outbox, 'device'>;
  view: Pick<View, 'unsettled'>;
  clock: Pick<Clock, 'schedule' | 'wallMs' | 'monotonicMs'>;
  lifetime: Lifetime;
}

export interface CarrierPart {
  /** Called by `openGemba` with the parts of the engine, a `CarryingEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

export interface Carrier extends CarrierVerbs, CarrierPart {}

export async function openCarrying({
  options,
  store,
  outbox,
  view,
  clock,
  lifetime,
  status$,
}: CarryingEngine & { status$: Observable<Status> }): Promise<CarrierVerbs> {
  const { url } = options;
  const table = await openCarriedTable(store, clock.schedule);
  const server = await serverNameOf(new URL(url).origin);
  const messages = new CarriedMessages(table, () => clock.wallMs());
  let phase: Status['phase'] = 'idle';
  const ownWork = new OwnWork({
    first: () => view.unsettled.slice(0, 1).map(({ client_id, seq }) => `${client_id} ${seq}`)[0],
    isBlocked: () => phase === 'blocked',
    now: () => clock.monotonicMs(),
  });
  const station = new CarrierStation({
    messages,
    server,
    carrierId: await carrierIdOf(outbox.device.device_id),
    url,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    token: () => options.token ?? outbox.device.token,
    hasOwnWork: () => ownWork.goesFirst,
    clock,
  });
  const phase$ = status$.pipe(
    map((status) => status.phase),
    distinctUntilChanged(),
  );
  const whenIdle = phase$.subscribe((current) => {
    phase = current;
    if (current === 'idle' || current === 'blocked') station.deliver();
  });
  lifetime.signal.addEventListener('abort', () => {
    whenIdle.unsubscribe();
    station.stop();
  });
  return {
    carrying$: station.carrying$,
    readCodes: async () => codeReader({ server, messages, deliver: () => station.deliver() }),
    readCodes$: station.carrying$.pipe(map(() => messages.readCodes)),
    carry: (channel, given) => lifetime.runUnawaited(() => station.carry(channel, given)),
  };
}
