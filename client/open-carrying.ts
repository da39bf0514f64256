/** Composes the part of the engine that carries sealed requests of other devices. */
import type { Observable } from 'rxjs';
import { carrierIdOf, serverNameOf } from '../shared/relay/frames.ts';
import type { Clock } from './core/clock.ts';
import type { Lifetime } from './core/lifetime.ts';
import type { Outbox } from './outbox/outbox.ts';
import { CarriedMessages } from './relay/carried-messages.ts';
import { openCarriedTable } from './relay/carried-table.ts';
import { CarrierSession } from './relay/carrier-session.ts';
import type { CarrierVerbs } from './relay/carrier-verbs.ts';
import { Deliveries } from './relay/deliveries.ts';
import { FrameLink } from './relay/frame-link.ts';
import type { DeviceTables } from './storage/device-tables.ts';
import type { Status } from './sync/tabs/status.ts';
import type { View } from './view/view.ts';

/** The parts of the engine that a carrier needs. */
export interface CarryingEngine {
  options: { url: string; token?: string; fetch?: typeof globalThis.fetch };
  store: Pick<DeviceTables, 'openTable'>;
  outbox: Pick<Outbox, 'device'>;
  view: Pick<View, 'unsettled'>;
  clock: Pick<Clock, 'schedule' | 'wallMs'>;
  lifetime: Lifetime;
}

export interface Carrier extends CarrierVerbs {
  /** Called by `openGemba`. */
  attach(engine: CarryingEngine, status$: Observable<Status>): void;
}

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
  const messages = new CarriedMessages(table, () => clock.wallMs());
  const server = await serverNameOf(new URL(url).origin);
  const carrierId = await carrierIdOf(outbox.device.device_id);
  const sessions = new Set<CarrierSession>();
  const links = new Set<FrameLink>();
  const onAnswered = () => {
    // A session whose channel broke ends by itself.
    for (const session of sessions) session.sendAnswers().catch(() => undefined);
  };
  const onReachable = () => {
    for (const session of sessions) session.sayHello().catch(() => undefined);
  };
  const deliveries = new Deliveries({
    messages,
    url,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    token: () => options.token ?? outbox.device.token,
    hasOwnWork: () => view.unsettled.length > 0,
    schedule: clock.schedule,
    onAnswered,
    onReachable,
  });
  const deliver = () => void deliveries.deliver();
  const whenIdle = status$.subscribe(({ phase }) => {
    if (phase === 'idle') deliver();
  });
  lifetime.signal.addEventListener('abort', () => {
    whenIdle.unsubscribe();
    deliveries.stop();
    for (const link of links) void link.close();
  });
  return {
    carrying$: messages.carrying$,
    carry: (channel) =>
      lifetime.runUnawaited(async () => {
        const link = new FrameLink(channel, clock.schedule);
        const isOnline = () => (globalThis.navigator?.onLine ?? true) && deliveries.isReachable;
        const session = new CarrierSession({ link, messages, server, carrierId, isOnline, onHeld: deliver });
        sessions.add(session);
        links.add(link);
        void deliveries.tryAgain();
        await session.run();
        sessions.delete(session);
        links.delete(link);
      }),
  };
}
