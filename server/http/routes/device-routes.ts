import { Device, DevicePatch, RevokedDevice } from '../../../shared/schema/auth.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import { successReply } from '../../core/reply.ts';
import { toApiDevice } from '../../store/credentials/device-record.ts';
import { exampleDeviceId } from './example-ids.ts';
import { listDevicesRoute } from './list-devices-route.ts';
import { credentialRevokeRoute } from './revocable-routes.ts';
import { parseIdempotency } from './mutation/idempotency-key.ts';
import { parseDeviceId, deviceNotFoundRefusal } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const path = '/api/v1/devices';

export function deviceRoutes(services: Services): Route[] {
  return [
    listDevicesRoute(services, path),

    route({
      method: 'PATCH',
      path: `${path}/:device_id`,
      access: ['admin'],
      body: DevicePatch,
      async handle(request) {
        const named = parseDeviceId(request.params);
        if (!named.ok) return named;
        const { id } = named;
        const parsedKey = parseIdempotency(request, ['update_device', id]);
        if (!parsedKey.ok) return parsedKey;
        return runCredentialTransaction(services, request.caller, {
          readSet: { deviceIds: [id] },
          idempotency: parsedKey.idempotency,
          decide(credentials) {
            const device = credentials.device(id);
            if (!device) return deviceNotFoundRefusal(id);
            return successReply(200, toApiDevice(credentials.renameDevice(device, request.body.name.trim())));
          },
        });
      },
      docs: {
        operationId: 'updateDevice',
        tag: 'Access',
        summary: 'Rename a device',
        description: 'Its name is for people. The device brings another one when it is paired again.',
        response: { status: 200, description: 'The device.', schema: Device },
        codes: ['device_not_found'],
        idempotency: 'key',
        examples: {
          rename: {
            summary: 'A watch that moved',
            path: { device_id: exampleDeviceId },
            body: { name: 'Watch of hall 3' },
          },
        },
      },
    }),

    credentialRevokeRoute(services, {
      path: `${path}/:device_id/revoke`,
      name: 'revoke_device',
      parseId: parseDeviceId,
      revokesCreatedKeys: true,
      readSet: (id) => ({ deviceIds: [id], creators: [{ kind: 'device', id }] }),
      revoke(credentials, id, { now, revokesCreatedKeys }) {
        const device = credentials.device(id);
        if (!device) return deviceNotFoundRefusal(id);
        const revoked = credentials.revokeDevice(device, now);
        if (revokesCreatedKeys) credentials.revokeKeysOfCreators(now);
        const body: RevokedDevice = {
          ...toApiDevice(revoked),
          ...credentials.keyIdsOfCreators(revoked.revoked_at ?? now),
        };
        return successReply(200, body);
      },
      docs: {
        operationId: 'revokeDevice',
        tag: 'Access',
        summary: 'Revoke a device',
        description:
          'Its token works no longer, nor do its pairing codes and, unless `revoke_created` is false, the keys that it made. The last key with the scope `admin` stays. What it had recorded and synced stays. Doing it again changes nothing.',
        response: { status: 200, description: 'The device, revoked.', schema: RevokedDevice },
        codes: ['device_not_found'],
        idempotency: 'key',
        examples: { plain: { summary: 'A lost watch', path: { device_id: exampleDeviceId } } },
      },
    }),
  ];
}
