import { DevicePatch, type RevokedDevice } from '../../../shared/schema/auth.ts';
import { accessTransaction } from '../../auth/device-transaction.ts';
import { answered } from '../../core/reply.ts';
import { deviceRecord } from '../../store/device-record.ts';
import { listRoute, revokeRoute } from './revocable-routes.ts';
import { openlyKeyed } from './idempotency-key.ts';
import { deviceIdIn, deviceNotFound } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const path = '/api/v1/devices';

export function deviceRoutes(services: Services): Route[] {
  return [
    listRoute(path, (accountId, query) => services.store.devices(accountId, query)),

    route({
      method: 'PATCH',
      path: `${path}/:device_id`,
      access: ['admin'],
      body: DevicePatch,
      async handle(request) {
        const named = deviceIdIn(request.params);
        if (!named.ok) return named;
        const { id } = named;
        const keyed = openlyKeyed(request, ['update_device', id]);
        if (!keyed.ok) return keyed;
        return accessTransaction(services, request.caller, {
          wants: { deviceIds: [id] },
          idempotency: keyed.idempotency,
          decide(access) {
            const device = access.device(id);
            if (!device) return deviceNotFound(id);
            return answered(200, deviceRecord(access.renameDevice(device, request.body.name.trim())));
          },
        });
      },
    }),

    revokeRoute(services, {
      path: `${path}/:device_id/revoke`,
      name: 'revoke_device',
      idIn: deviceIdIn,
      revokesCreated: true,
      wants: (id) => ({ deviceIds: [id], creators: [{ kind: 'device', id }] }),
      revoke(access, id, { now, revokesCreated }) {
        const device = access.device(id);
        if (!device) return deviceNotFound(id);
        const revoked = access.revokeDevice(device, now);
        if (revokesCreated) access.revokeCreatedKeys(now);
        const body: RevokedDevice = { ...deviceRecord(revoked), ...access.createdKeys(revoked.revoked_at ?? now) };
        return answered(200, body);
      },
    }),
  ];
}
