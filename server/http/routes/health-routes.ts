import { Type } from 'typebox';
import { Described } from '../../../shared/schema/fields.ts';
import { successReply } from '../../core/reply.ts';
import { limitPerSecond } from '../limits/limit-per-second.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply } from '../route-reply.ts';

/** A load balancer asks only every few seconds. More frequent requests get the result of the last check. */
export const healthChecksPerSecMax = 10;

const ReadinessResponse = Type.Object({
  status: Type.Literal('ready'),
  pokes: Described(
    Type.Enum(['local', 'listen', 'poll']),
    'How this process hears of the changes of others: there are none (`local`), they tell it (`listen`), or it asks, so that its event streams may lag by 5 s and webhooks by 10 s (`poll`).',
  ),
});

const statusSchema = (status: string) => Type.Object({ status: Type.Literal(status) });

export function healthRoutes({ store, readiness, world }: Services): Route[] {
  const check = limitPerSecond(
    async () => {
      await store.ping();
      if (!readiness.writesFail) return;
      // A full disk can still be read, so only a write shows that the store works again. This write is harmless.
      const probe = { counter: 'a write of readyz', at: world.now() };
      await store.countPairingEvent({ ...probe, windowMs: 1, eventsMax: 1 });
      readiness.writesFail = false;
    },
    { perSecMax: healthChecksPerSecMax },
  );
  return [
    route({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      handle: async () => successReply(200, { status: 'ok' }),
      docs: {
        operationId: 'getHealth',
        tag: 'Service',
        summary: 'Does the process live?',
        description: 'Answers as long as the process does.',
        response: { status: 200, description: 'It lives.', schema: statusSchema('ok') },
        examples: { plain: { summary: 'It lives' } },
      },
    }),

    route({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      async handle() {
        if (readiness.draining) return drainingRefusal;
        await check();
        return successReply(200, { status: 'ready', pokes: store.pokeReception() });
      },
      docs: {
        operationId: 'getReadiness',
        tag: 'Service',
        summary: 'Can it serve?',
        description:
          '503 while the server starts or drains, or its store is down: a balancer sends requests elsewhere.',
        response: { status: 200, description: 'It can serve.', schema: ReadinessResponse },
        examples: { plain: { summary: 'It can serve' } },
      },
    }),
  ];
}

export const drainingRefusal: RefusedReply = {
  ok: false,
  error: { code: 'unavailable', detail: 'The server is shutting down; try again, another one will answer.' },
};
