import { Type } from 'typebox';
import { Closed } from '../../shared/schema/fields.ts';
import { accessTransaction } from '../mutate/access-transaction.ts';
import { deviceRecord } from '../store/device-record.ts';
import { openlyKeyed } from './access-change.ts';
import { isUuid, limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import { deviceIdIn, deviceNotFound } from './path-ids.ts';
import { route, type Route } from './route.ts';
import type { Services } from './services.ts';

const path = '/api/v1/devices';

export function deviceRoutes(services: Services): Route[] {
  const { store } = services;
  return [
    route({
      method: 'GET',
      path,
      access: ['admin'],
      query: Type.Object(listQuery),
      async handle({ caller, query }) {
        const list = { path, filters: {}, limit: query.limit };
        const at = readPageCursor(list, query.cursor, isUuid);
        if (!at.ok) return at;
        const before = at.position === undefined ? {} : { before: at.position };
        const page = await store.devices(caller.accountId, { ...before, limit: limitOf(query) });
        return pageReply(list, page.rows, page.next);
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:device_id/revoke`,
      access: ['admin'],
      body: Closed({}),
      async handle(request) {
        const device = deviceIdIn(request.params);
        if (!device.ok) return device;
        const keyed = openlyKeyed(request, ['revoke_device', device.id]);
        if (!keyed.ok) return keyed;
        return accessTransaction(services, request.caller.accountId, {
          wants: { deviceIds: [device.id] },
          idempotency: keyed.idempotency,
          decide(access, now) {
            const known = access.device(device.id);
            if (!known) return deviceNotFound(device.id);
            return {
              ok: true,
              answer: { status: 200, headers: {}, body: deviceRecord(access.revokeDevice(known, now)) },
            };
          },
        });
      },
    }),
  ];
}
