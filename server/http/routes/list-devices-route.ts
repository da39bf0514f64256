import { Type } from 'typebox';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { DeviceHealth, DevicePage } from '../../../shared/schema/fleet.ts';
import { isHealthListPosition, listDevicesWithHealth } from '../../fleet/list-devices.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { isLowerCaseUuid, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from './list.ts';

const DevicesQuery = Closed({
  ...pageQueryFields,
  health: Described(Type.Optional(DeviceHealth), 'Only devices of this health.'),
  sort: Described(
    Type.Optional(Type.Enum(['health'], { expected: 'health' })),
    '`health`: the worst first. Default: newest first.',
  ),
});

/** Lists the account's devices, each with its last report and its health. */
export function listDevicesRoute(services: Services, path: string): Route {
  return route({
    method: 'GET',
    path,
    access: ['admin'],
    query: DevicesQuery,
    async handle({ caller, query: { health, sort, ...page } }) {
      const list = { path, filters: { health, sort }, limit: page.limit };
      const at = parsePageCursor(list, page.cursor, sort === undefined ? isLowerCaseUuid : isHealthListPosition);
      if (!at.ok) return at;
      const before = at.position === undefined ? {} : { before: at.position };
      const devices = await listDevicesWithHealth(services, caller.accountId, {
        ...before,
        health,
        sort,
        limit: pageLimitOf(page),
      });
      return pageReply(list, devices.rows, devices.next);
    },
    docs: {
      operationId: 'listDevices',
      tag: 'Access',
      summary: 'List devices',
      description:
        'The devices that were paired with the account, newest first, with what each reported last and how it does. Every figure is as of `status.reported_at`: a device without a network reports nothing.',
      response: { status: 200, description: 'A page of devices.', schema: DevicePage, headers: ['Link'] },
      examples: {
        plain: { summary: 'All devices' },
        worst: { summary: 'The worst first', query: { sort: 'health' } },
      },
    },
  });
}
