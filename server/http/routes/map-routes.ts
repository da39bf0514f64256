import { Type } from 'typebox';
import { assert } from '../../../shared/domain/assert.ts';
import { fullMap, mapRecord } from '../../../shared/domain/map.ts';
import { Closed, MapState, Text } from '../../../shared/schema/fields.ts';
import { industryLengthMax } from '../../../shared/schema/limits.ts';
import { MapPatch, NewMap, type MapDoc } from '../../../shared/schema/map.ts';
import { answered, type Answer } from '../../core/reply.ts';
import { etagOf } from '../../core/etag.ts';
import type { Effect } from '../../mutate/working-set.ts';
import { isNumber, limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import { mutationReply } from './mutation-reply.ts';
import { mapIdIn } from './path-ids.ts';
import { readableMap } from './readable-map.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const path = '/api/v1/maps';
const Flag = Type.Optional(Type.Boolean({ description: 'true or false' }));

const MapsQuery = Closed({
  ...listQuery,
  industry: Type.Optional(Text(industryLengthMax)),
  state: Type.Optional(MapState),
  archived: Flag,
  deleted: Flag,
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
        const at = readPageCursor(list, query.cursor, isNumber);
        if (!at.ok) return at;
        const page = await services.store.maps(caller.accountId, {
          ...(industry === undefined ? {} : { industry }),
          ...(state === undefined ? {} : { state }),
          ...(archived === undefined ? {} : { archived }),
          deleted,
          ...(at.position === undefined ? {} : { before: Number(at.position) }),
          limit: limitOf(query),
        });
        return pageReply(list, page.rows, page.next === null ? null : String(page.next));
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
        return mutationReply(services, request, { name: 'create_map', args, render: renderCreated });
      },
    }),

    route({
      method: 'GET',
      path: `${path}/:id`,
      access: ['read'],
      async handle({ caller, params }) {
        const found = await readableMap(services.store, caller, params);
        return found.ok ? answered(200, fullMap(found.map), { ETag: etagOf(found.map) }) : found;
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:id`,
      access: ['write'],
      body: MapPatch,
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        return mutationReply(services, request, { name: 'update_map', args, render: renderRecord });
      },
    }),

    ...(['delete', 'restore'] as const).map((verb) =>
      route({
        method: 'POST',
        path: `${path}/:id/${verb}`,
        access: ['write'],
        body: NoFields,
        async handle(request) {
          const map = mapIdIn(request.params);
          if (!map.ok) return map;
          const name = `${verb}_map` as const;
          return mutationReply(services, request, { name, args: { map_id: map.id }, render: renderRecord });
        },
      }),
    ),
  ];
}

function renderCreated(effect: Effect): Answer {
  const { headers, body } = renderRecord(effect);
  return { status: 201, headers: { ...headers, Location: `${path}/${mapOf(effect).id}` }, body };
}

function renderRecord(effect: Effect): Answer {
  const map = mapOf(effect);
  return { status: 200, headers: { ETag: etagOf(map) }, body: mapRecord(map) };
}

function mapOf({ map }: Effect): MapDoc {
  assert(map, 'the mutation is about a map');
  return map;
}
