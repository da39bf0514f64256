import { answered } from '../mutate/answer.ts';
import { deviceRecord } from '../store/device-record.ts';
import { listRoute, revokeRoute } from './access-routes.ts';
import { deviceIdIn, deviceNotFound } from './path-ids.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

const path = '/api/v1/devices';

export function deviceRoutes(services: Services): Route[] {
  return [
    listRoute(path, (accountId, query) => services.store.devices(accountId, query)),

    revokeRoute(services, {
      path: `${path}/:device_id/revoke`,
      name: 'revoke_device',
      idIn: deviceIdIn,
      wants: (id) => ({ deviceIds: [id] }),
      revoke(access, id, now) {
        const device = access.device(id);
        if (!device) return deviceNotFound(id);
        return answered(200, deviceRecord(access.revokeDevice(device, now)));
      },
    }),
  ];
}
