import { Type } from 'typebox';
import { assert } from '../../../shared/domain/assert.ts';
import { toFullMap, withoutStages } from '../../../shared/domain/map.ts';
import { Closed, Described, MapState, Text } from '../../../shared/schema/fields.ts';
import { industryLengthMax } from '../../../shared/schema/limits.ts';
import { FullMap, MapPage, MapPatch, MapRecord, NewMap, type MapDoc } from '../../../shared/schema/map.ts';
import { successReply, type JsonResponse } from '../../core/reply.ts';
import { etagOf } from '../../core/etag.ts';
import type { AffectedRecords } from '../../mutate/working-set/working-set.ts';
import { exampleFutureMapId, exampleOrderMapId } from './example-ids.ts';
import { isIntegerText, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from './list.ts';
import { applyAndReply } from './mutation/apply-mutation.ts';
import { parseMapId } from './path-ids.ts';
import { findReadableMap } from './readable-map.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { Reply } from '../route-reply.ts';
import type { Services } from '../services.ts';

const path = '/api/v1/maps';
const OptionalFlag = Type.Optional(Type.Boolean({ expected: 'true or false' }));

const MapsQuery = Closed({
  ...pageQueryFields,
  industry: Described(Type.Optional(Text(industryLengthMax)), 'Only maps of this industry, to the letter.'),
  state: Described(Type.Optional(MapState), 'Only maps in this state.'),
  archived: Described(OptionalFlag, 'Only maps that are archived, or only those that are not.'),
  deleted: Described(OptionalFlag, 'True lists the recycle bin instead.'),
});

const NoFields = Closed({});

export function mapRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path,
      access: ['read'],
      query: MapsQuery,
      async handle({ caller, query }) {
        const { industry, state, archived, deleted = false } = query;
        const list = { path, filters: { industry, state, archived, deleted }, limit: query.limit };
        const at = parsePageCursor(list, query.cursor, isIntegerText);
        if (!at.ok) return at;
        const page = await services.store.maps(caller.accountId, {
          ...(industry === undefined ? {} : { industry }),
          ...(state === undefined ? {} : { state }),
          ...(archived === undefined ? {} : { archived }),
          deleted,
          ...(at.position === undefined ? {} : { before: Number(at.position) }),
          limit: pageLimitOf(query),
        });
        return pageReply(list, page.rows, page.next === null ? null : String(page.next));
      },
      docs: {
        operationId: 'listMaps',
        tag: 'Maps',
        summary: 'List maps',
        description:
          'The maps of the account, newest first, without those in the recycle bin. Filters can be combined.',
        response: { status: 200, description: 'A page of maps.', schema: MapPage, headers: ['Link'] },
        examples: {
          filtered: {
            summary: 'The logistics maps of today',
            query: { industry: 'Logistics', state: 'current', limit: 2 },
          },
          recycleBin: { summary: 'The recycle bin', query: { deleted: true } },
        },
      },
    }),

    route({
      method: 'POST',
      path,
      access: ['write'],
      body: NewMap,
      handle: (request) => {
        const { id, ...fields } = request.body;
        const args = { ...fields, ...(id === undefined ? {} : { map_id: id }) };
        return applyAndReply(services, request, { name: 'create_map', args, render: renderCreatedMap });
      },
      docs: {
        operationId: 'createMap',
        tag: 'Maps',
        summary: 'Create a map',
        description: 'Creates an empty map. The free plan allows 2 maps that are not deleted.',
        response: {
          status: 201,
          description: 'The map, with its id.',
          schema: MapRecord,
          headers: ['ETag', 'Location'],
        },
        codes: ['map_cap_reached', 'id_taken'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'A map, once',
            headers: { 'Idempotency-Key': 'order-to-delivery-2026-07-01' },
            body: {
              name: 'Order to delivery',
              industry: 'Logistics',
              description: 'From the order in the shop to the parcel at the door.',
            },
          },
          ownId: {
            summary: 'With an id of your own, as it should become',
            body: {
              id: exampleFutureMapId,
              name: 'Order to delivery, without the queue',
              industry: 'Logistics',
              state: 'future',
            },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: `${path}/:id`,
      access: ['read'],
      async handle({ caller, params }) {
        const found = await findReadableMap(services.store, caller, params);
        return found.ok ? successReply(200, toFullMap(found.map), { ETag: etagOf(found.map) }) : found;
      },
      docs: {
        operationId: 'getMap',
        tag: 'Maps',
        summary: 'Get a map',
        description: 'The map with all of its stages and its analytics.',
        response: { status: 200, description: 'The map.', schema: FullMap, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalRead: true,
        examples: { plain: { summary: 'A map with its stages', path: exampleParams } },
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:id`,
      access: ['write'],
      body: MapPatch,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        return applyAndReply(services, request, { name: 'update_map', args, render: renderMapRecord });
      },
      docs: {
        operationId: 'updateMap',
        tag: 'Maps',
        summary: 'Change a map',
        description: 'Changes what the body names and leaves the rest.',
        response: { status: 200, description: 'The map as it is now.', schema: MapRecord, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          rename: {
            summary: 'Another description',
            path: exampleParams,
            body: { description: 'From the shop to the door.' },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:id/delete`,
      access: ['write'],
      body: NoFields,
      handle: (request) => deleteOrRestoreMap(services, request, 'delete_map'),
      docs: {
        operationId: 'deleteMap',
        tag: 'Maps',
        summary: 'Delete a map',
        description: 'Puts the map into the recycle bin. Doing it again changes nothing.',
        response: { status: 200, description: 'The map, deleted.', schema: MapRecord, headers: ['ETag'] },
        conditionalWrite: true,
        idempotency: 'key',
        examples: { plain: { summary: 'Into the recycle bin', path: { id: exampleFutureMapId } } },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:id/restore`,
      access: ['write'],
      body: NoFields,
      handle: (request) => deleteOrRestoreMap(services, request, 'restore_map'),
      docs: {
        operationId: 'restoreMap',
        tag: 'Maps',
        summary: 'Restore a map',
        description:
          'Takes the map out of the recycle bin. Doing it again changes nothing. The cap of the free plan counts.',
        response: { status: 200, description: 'The map, restored.', schema: MapRecord, headers: ['ETag'] },
        codes: ['map_cap_reached'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: { plain: { summary: 'Out of the recycle bin', path: { id: exampleFutureMapId } } },
      },
    }),
  ];
}

async function deleteOrRestoreMap(
  services: Services,
  request: ApiRequest,
  name: 'delete_map' | 'restore_map',
): Promise<Reply> {
  const map = parseMapId(request.params);
  if (!map.ok) return map;
  return applyAndReply(services, request, { name, args: { map_id: map.id }, render: renderMapRecord });
}

const exampleParams = { id: exampleOrderMapId };

function renderCreatedMap(affected: AffectedRecords): JsonResponse {
  const { headers, body } = renderMapRecord(affected);
  return { status: 201, headers: { ...headers, Location: `${path}/${changedMap(affected).id}` }, body };
}

function renderMapRecord(affected: AffectedRecords): JsonResponse {
  const map = changedMap(affected);
  return { status: 200, headers: { ETag: etagOf(map) }, body: withoutStages(map) };
}

function changedMap({ map }: AffectedRecords): MapDoc {
  assert(map, 'the mutation is about a map');
  return map;
}
