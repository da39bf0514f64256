import { PushRequest } from '../../../shared/protocol/push.ts';
import { protocolHeader } from '../../../shared/protocol/version.ts';
import { pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import { eventStreamHeaders } from '../../sync/event-stream.ts';
import { protocolRefusal } from '../../sync/protocol.ts';
import { pull, PullQuery } from '../../sync/pull.ts';
import { push } from '../../sync/push.ts';
import { answered } from '../../core/reply.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { Services } from '../services.ts';

/** Before the body: that of an older client need not fit, and its queue must stay whole. */
const precheck = (header: ApiRequest['header']) => protocolRefusal(header(protocolHeader));

export function syncRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/sync/push',
      access: ['record', 'write'],
      body: PushRequest,
      bodyBytesMax: pushBodyBytesMax,
      precheck,
      async handle({ caller, body }) {
        const pushed = await push(services, caller, body as PushRequest);
        return pushed.ok ? answered(200, pushed.response) : pushed;
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/sync/pull',
      access: ['read'],
      query: PullQuery,
      precheck,
      async handle({ caller, query }) {
        const pulled = await pull(services, caller, query);
        return pulled.ok ? answered(200, pulled.response) : pulled;
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/sync/events',
      access: ['read'],
      precheck,
      async handle({ caller }) {
        return { ok: true, headers: eventStreamHeaders, stream: (res) => services.events.open(caller, res) };
      },
    }),
  ];
}
