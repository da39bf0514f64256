import { answered } from '../../core/reply.ts';
import { sparingly } from '../limits/sparingly.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply } from '../reply.ts';

/** A balancer asks every few seconds; whoever asks more often is told what the last one was. */
export const healthPerSecMax = 10;

export function healthRoutes({ store, health, world }: Services): Route[] {
  const check = sparingly(
    async () => {
      await store.ping();
      if (!health.writesFail) return;
      // Reads go on while the disk is full: only a write tells that there is room again.
      const probe = { subject: 'a write of readyz', at: world.now() };
      await store.countFailure({ ...probe, windowMs: 1, failuresMax: 1 });
      health.writesFail = false;
    },
    { perSecMax: healthPerSecMax },
  );
  return [
    /** The process lives. */
    route({ method: 'GET', path: '/healthz', access: 'public', handle: async () => answered(200, { status: 'ok' }) }),

    /** It can serve: a balancer sends requests elsewhere while it cannot. */
    route({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      async handle() {
        if (health.draining) return drainingRefusal;
        await check();
        return answered(200, { status: 'ready' });
      },
    }),
  ];
}

export const drainingRefusal: RefusedReply = {
  ok: false,
  error: { code: 'unavailable', detail: 'The server is shutting down; try again, another one will answer.' },
};
