import { answered } from '../mutate/answer.ts';
import { route, type RefusedReply, type Route } from './route.ts';
import type { Services } from './services.ts';

export function healthRoutes({ store, health }: Services): Route[] {
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
        await store.ping();
        return answered(200, { status: 'ready' });
      },
    }),
  ];
}

export const drainingRefusal: RefusedReply = {
  ok: false,
  error: { code: 'unavailable', detail: 'The server is shutting down; try again, another one will answer.' },
};
