import { assert } from '../../../shared/domain/assert.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import { NewStage, Stage, StageOrder, StagePage, StagePatch, StageReplacements } from '../../../shared/schema/stage.ts';
import type { JsonResponse } from '../../core/reply.ts';
import { etagOf } from '../../core/etag.ts';
import type { AffectedRecords } from '../../mutate/working-set/working-set.ts';
import { exampleOrderMapId, exampleStageIds } from './example-ids.ts';
import { pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from './list.ts';
import { applyAndReply } from './mutation/apply-mutation.ts';
import { parseMapId, parseStageId } from './path-ids.ts';
import { findReadableMap } from './readable-map.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { isStagePosition, stagePage } from './stage-pages.ts';

const path = '/api/v1/maps/:id/stages';
const exampleParams = { id: exampleOrderMapId };
const etagNote = 'The ETag is that of the map.';

export function stageRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path,
      access: ['read'],
      query: Closed(pageQueryFields),
      async handle({ caller, params, query }) {
        const found = await findReadableMap(services.store, caller, params);
        if (!found.ok) return found;
        const list = { path: `/api/v1/maps/${found.map.id}/stages`, filters: {}, limit: query.limit };
        const at = parsePageCursor(list, query.cursor, isStagePosition);
        if (!at.ok) return at;
        const { page, next } = stagePage(found.map.stages, at.position, pageLimitOf(query));
        return pageReply(list, page, next, { ETag: etagOf(found.map) });
      },
      docs: {
        operationId: 'listStages',
        tag: 'Stages',
        summary: 'List stages',
        description: `The stages of a map in their order. ${etagNote}`,
        conditionalRead: true,
        response: { status: 200, description: 'A page of stages.', schema: StagePage, headers: ['ETag', 'Link'] },
        codes: ['map_deleted'],
        examples: { plain: { summary: 'All stages of a map', path: exampleParams } },
      },
    }),

    route({
      method: 'POST',
      path,
      access: ['write'],
      body: NewStage,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        const render = (affected: AffectedRecords) => renderStage(affected, affected.map, 201);
        return applyAndReply(services, request, { name: 'add_stage', args, render });
      },
      docs: {
        operationId: 'addStage',
        tag: 'Stages',
        summary: 'Add a stage',
        description: `Adds a stage at the end, or at \`order\`. ${etagNote}`,
        response: { status: 201, description: 'The stage.', schema: Stage, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          append: {
            summary: 'At the end',
            path: exampleParams,
            body: { stage: 'Print the order', cycle_time_hrs: 0.05, wait_time_hrs: 1.5, work_type: 'incidental' },
          },
          nameOnly: { summary: 'Only the name', path: exampleParams, body: { stage: 'Pick' } },
          deprecated: {
            summary: 'With the deprecated value_add',
            path: exampleParams,
            body: { stage: 'Pack', cycle_time_hrs: 0.2, value_add: true },
          },
          insert: {
            summary: 'In between',
            path: exampleParams,
            body: { stage: 'Check', order: 3, cycle_time_hrs: 0.1, work_type: 'waste' },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/reorder`,
      access: ['write'],
      body: StageOrder,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        return applyAndReply(services, request, { name: 'reorder_stages', args, render: renderStages });
      },
      docs: {
        operationId: 'reorderStages',
        tag: 'Stages',
        summary: 'Reorder stages',
        description: `Puts the stages of the map into the order that you want. ${etagNote}`,
        response: { status: 200, description: 'All stages in their new order.', schema: StagePage, headers: ['ETag'] },
        codes: ['map_deleted', 'stage_ids_mismatch'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'Pick before printing',
            path: exampleParams,
            body: {
              stage_ids: [exampleStageIds.pick, exampleStageIds.print, exampleStageIds.check, exampleStageIds.pack],
            },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/replace`,
      access: ['write'],
      body: StageReplacements,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const args = { ...request.body, map_id: map.id };
        return applyAndReply(services, request, { name: 'replace_stages', args, render: renderStages });
      },
      docs: {
        operationId: 'replaceStages',
        tag: 'Stages',
        summary: 'Replace all stages',
        description: `Gives the map these stages in one step. Stages whose ids are listed are kept, the others of the list are new, and those not listed are deleted. ${etagNote}`,
        response: { status: 200, description: 'All stages as they are now.', schema: StagePage, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          keepIds: {
            summary: 'Without the check, with a shorter wait',
            path: exampleParams,
            body: {
              stages: [
                { id: exampleStageIds.pick, stage: 'Pick' },
                { id: exampleStageIds.print, stage: 'Print the order', wait_time_hrs: 0.5 },
                { id: exampleStageIds.pack, stage: 'Pack' },
              ],
            },
          },
        },
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:stage_id`,
      access: ['write'],
      body: StagePatch,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const stage = parseStageId(request.params);
        if (!stage.ok) return stage;
        const args = { ...request.body, map_id: map.id, stage_id: stage.id };
        const render = (affected: AffectedRecords) => renderStage(affected, affected.map, 200);
        return applyAndReply(services, request, { name: 'update_stage', args, render });
      },
      docs: {
        operationId: 'updateStage',
        tag: 'Stages',
        summary: 'Change a stage',
        description: `Changes what the body names and leaves the rest; a new \`order\` moves the stage. ${etagNote}`,
        response: { status: 200, description: 'The stage as it is now.', schema: Stage, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          classify: {
            summary: 'Another classification',
            path: { ...exampleParams, stage_id: exampleStageIds.pick },
            body: { cycle_time_hrs: 0.4, work_type: 'valuable' },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:stage_id/delete`,
      access: ['write'],
      body: Closed({}),
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        const stage = parseStageId(request.params);
        if (!stage.ok) return stage;
        const args = { map_id: map.id, stage_id: stage.id };
        // The response shows the deleted stage, which only the map before the mutation still has.
        const render = (affected: AffectedRecords, before: MapDoc | undefined) => renderStage(affected, before, 200);
        return applyAndReply(services, request, { name: 'delete_stage', args, render });
      },
      docs: {
        operationId: 'deleteStage',
        tag: 'Stages',
        summary: 'Delete a stage',
        description: `Deletes a stage for good; those after it move up. ${etagNote}`,
        response: { status: 200, description: 'The stage as it was.', schema: Stage, headers: ['ETag'] },
        codes: ['map_deleted'],
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          plain: { summary: 'Without the check', path: { ...exampleParams, stage_id: exampleStageIds.check } },
        },
      },
    }),
  ];
}

/** A stage has no version, so the response has the ETag of the map, which `If-Match` compares. */
function renderStage(
  { map, affectedIds }: AffectedRecords,
  mapWithStage: MapDoc | undefined,
  status: number,
): JsonResponse {
  const stage = mapWithStage?.stages.find(({ id }) => id === affectedIds.stageId);
  assert(map && stage, 'the mutation is about a stage of a map');
  return { status, headers: { ETag: etagOf(map) }, body: stage };
}

function renderStages({ map }: AffectedRecords): JsonResponse {
  assert(map, 'stages have their map');
  return { status: 200, headers: { ETag: etagOf(map) }, body: { data: map.stages, next_cursor: null } };
}
