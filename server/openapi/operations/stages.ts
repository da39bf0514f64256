import { Page } from '../../../shared/schema/answers.ts';
import { Stage } from '../../../shared/schema/stage.ts';
import { orderMapId, stageIds } from '../example-ids.ts';
import { paging, type Resource } from '../notes.ts';

const map = { id: orderMapId };

/** A stage is a part of its map. */
const etag = 'The ETag is that of the map.';

export const stages: Resource = {
  tag: 'Stages',
  description:
    'The stages of a map stand at the positions 1, 2, 3... without gaps. `If-Match` takes the ETag of the map.',
  operations: {
    'GET /api/v1/maps/:id/stages': {
      operationId: 'listStages',
      summary: 'List stages',
      description: `The stages of a map in their order. ${etag}`,
      query: paging,
      conditionalRead: true,
      answer: { status: 200, description: 'A page of stages.', schema: Page(Stage), headers: ['ETag', 'Link'] },
      codes: ['map_deleted'],
      examples: { plain: { summary: 'All stages of a map', path: map } },
    },

    'POST /api/v1/maps/:id/stages': {
      operationId: 'addStage',
      summary: 'Add a stage',
      description: `Adds a stage at the end, or at \`order\`. ${etag}`,
      answer: { status: 201, description: 'The stage.', schema: Stage, headers: ['ETag'] },
      codes: ['map_deleted'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: {
        append: {
          summary: 'At the end',
          path: map,
          body: { stage: 'Print the order', cycle_time_hrs: 0.05, wait_time_hrs: 1.5, work_type: 'incidental' },
        },
        nameOnly: { summary: 'Only the name', path: map, body: { stage: 'Pick' } },
        deprecated: {
          summary: 'With the deprecated value_add',
          path: map,
          body: { stage: 'Pack', cycle_time_hrs: 0.2, value_add: true },
        },
        insert: {
          summary: 'In between',
          path: map,
          body: { stage: 'Check', order: 3, cycle_time_hrs: 0.1, work_type: 'waste' },
        },
      },
    },

    'PATCH /api/v1/maps/:id/stages/:stage_id': {
      operationId: 'updateStage',
      summary: 'Change a stage',
      description: `Changes what the body names and leaves the rest; a new \`order\` moves the stage. ${etag}`,
      answer: { status: 200, description: 'The stage as it is now.', schema: Stage, headers: ['ETag'] },
      codes: ['map_deleted'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: {
        classify: {
          summary: 'Another classification',
          path: { ...map, stage_id: stageIds.pick },
          body: { cycle_time_hrs: 0.4, work_type: 'valuable' },
        },
      },
    },

    'POST /api/v1/maps/:id/stages/reorder': {
      operationId: 'reorderStages',
      summary: 'Reorder stages',
      description: `Puts the stages of the map into the order that you want. ${etag}`,
      answer: { status: 200, description: 'All stages in their new order.', schema: Page(Stage), headers: ['ETag'] },
      codes: ['map_deleted', 'stage_ids_mismatch'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: {
        plain: {
          summary: 'Pick before printing',
          path: map,
          body: { stage_ids: [stageIds.pick, stageIds.print, stageIds.check, stageIds.pack] },
        },
      },
    },

    'POST /api/v1/maps/:id/stages/:stage_id/delete': {
      operationId: 'deleteStage',
      summary: 'Delete a stage',
      description: `Deletes a stage for good; those after it move up. ${etag}`,
      answer: { status: 200, description: 'The stage as it was.', schema: Stage, headers: ['ETag'] },
      codes: ['map_deleted'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: { plain: { summary: 'Without the check', path: { ...map, stage_id: stageIds.check } } },
    },
  },
};
