import { assert } from '../../../shared/domain/assert.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import { NewStage, StageOrder, StagePatch } from '../../../shared/schema/stage.ts';
import type { Answer } from '../../core/reply.ts';
import { etagOf } from '../../core/etag.ts';
import type { Effect } from '../../mutate/working-set.ts';
import { limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import { mutationReply } from './mutation-reply.ts';
import { mapIdIn, stageIdIn } from './path-ids.ts';
import { readableMap } from './readable-map.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { isStagePosition, nextStages } from './stage-walk.ts';

const path = '/api/v1/maps/:id/stages';

export function stageRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path,
      access: ['read'],
      query: Closed(listQuery),
      async handle({ caller, params, query }) {
        const found = await readableMap(services.store, caller, params);
        if (!found.ok) return found;
        const list = { path: `/api/v1/maps/${found.map.id}/stages`, filters: {}, limit: query.limit };
        const at = readPageCursor(list, query.cursor, isStagePosition);
        if (!at.ok) return at;
        const { page, next } = nextStages(found.map.stages, at.position, limitOf(query));
        return pageReply(list, page, next, { ETag: etagOf(found.map) });
      },
    }),

    route({
      method: 'POST',
      path,
      access: ['write'],
      body: NewStage,
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        const render = (effect: Effect) => renderStage(effect, effect.map, 201);
        return mutationReply(services, request, { name: 'add_stage', args, render });
      },
    }),

    route({
      method: 'POST',
      path: `${path}/reorder`,
      access: ['write'],
      body: StageOrder,
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        return mutationReply(services, request, { name: 'reorder_stages', args, render: renderStages });
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:stage_id`,
      access: ['write'],
      body: StagePatch,
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        const stage = stageIdIn(request.params);
        if (!stage.ok) return stage;
        const args = { ...request.body, map_id: map.id, stage_id: stage.id };
        const render = (effect: Effect) => renderStage(effect, effect.map, 200);
        return mutationReply(services, request, { name: 'update_stage', args, render });
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:stage_id/delete`,
      access: ['write'],
      body: Closed({}),
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        const stage = stageIdIn(request.params);
        if (!stage.ok) return stage;
        const args = { map_id: map.id, stage_id: stage.id };
        // Answered with the stage as it was.
        const render = (effect: Effect, before: MapDoc | undefined) => renderStage(effect, before, 200);
        return mutationReply(services, request, { name: 'delete_stage', args, render });
      },
    }),
  ];
}

/** The ETag is the map's: a stage is a part of it, and `If-Match` holds the whole order of stages still. */
function renderStage({ map, subject }: Effect, within: MapDoc | undefined, status: number): Answer {
  const stage = within?.stages.find(({ id }) => id === subject.stageId);
  assert(map && stage, 'the mutation is about a stage of a map');
  return { status, headers: { ETag: etagOf(map) }, body: stage };
}

function renderStages({ map }: Effect): Answer {
  assert(map, 'stages have their map');
  return { status: 200, headers: { ETag: etagOf(map) }, body: { data: map.stages, next_cursor: null } };
}
