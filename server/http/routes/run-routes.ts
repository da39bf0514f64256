import { assert } from '../../../shared/domain/assert.ts';
import { ratingErrors } from '../../../shared/domain/study/compare.ts';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import { RunCorrection } from '../../../shared/schema/recording.ts';
import { CompareRequest, Comparison, DeletedRun, RunDoc, RunPage, RunPatch } from '../../../shared/schema/run.ts';
import { RunWithPhotos } from '../../../shared/schema/photos/run-photos.ts';
import { successReply, type JsonResponse } from '../../core/reply.ts';
import { etagOf } from '../../core/etag.ts';
import type { AffectedRecords } from '../../mutate/working-set/working-set.ts';
import { parseIdempotency } from './mutation/idempotency-key.ts';
import { exampleOrderMapId, exampleRunIds } from './example-ids.ts';
import { isIntegerText, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from './list.ts';
import { applyAndReply } from './mutation/apply-mutation.ts';
import { parseRunId, runNotFoundRefusal } from './path-ids.ts';
import { findReadableMap } from './readable-map.ts';
import { withPhotos } from '../photos/run-photos.ts';
import { comparisonReply } from '../comparison.ts';
import { withoutAbsentFilters, listFilteredRuns, refuseReversedTimes, runFilterFields } from '../run-list.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

export function runRoutes(services: Services): Route[] {
  const { store } = services;
  return [
    route({
      method: 'GET',
      path: '/api/v1/maps/:id/runs',
      access: ['read'],
      query: Closed({ ...pageQueryFields, ...runFilterFields }),
      async handle({ caller, params, query }) {
        const found = await findReadableMap(store, caller, params);
        if (!found.ok) return found;
        const reversed = refuseReversedTimes(query);
        if (reversed) return reversed;
        const filter = withoutAbsentFilters(query);
        const list = { path: `/api/v1/maps/${found.map.id}/runs`, filters: { ...filter }, limit: query.limit };
        const at = parsePageCursor(list, query.cursor, isIntegerText);
        if (!at.ok) return at;
        const before = at.position === undefined ? {} : { before: Number(at.position) };
        const page = await listFilteredRuns(store, caller.accountId, {
          mapId: found.map.id,
          filter,
          limit: pageLimitOf(query),
          ...before,
        });
        return pageReply(list, page.rows, page.next === null ? null : String(page.next));
      },
      docs: {
        operationId: 'listRuns',
        tag: 'Runs',
        summary: 'List runs of a map',
        description:
          'The runs of a map, newest first, each with its total time and PCE. Filters can be combined. A page of a filtered list may have fewer runs than `limit`, or none, and still a `next_cursor`.',
        response: { status: 200, description: 'A page of runs.', schema: RunPage, headers: ['Link'] },
        codes: ['map_deleted'],
        examples: {
          plain: { summary: 'All runs of a map', path: { id: exampleOrderMapId } },
          july: {
            summary: 'The runs of July that count',
            path: { id: exampleOrderMapId },
            query: { from: '2026-07-01T00:00:00Z', to: '2026-08-01T00:00:00Z', excluded: false },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/runs/compare',
      access: ['read'],
      body: CompareRequest,
      async handle(request) {
        const { caller, body } = request;
        // The idempotency key is checked but not stored, since a comparison changes nothing, and its response may have
        // megabytes.
        const parsedKey = parseIdempotency(request, ['compare_runs']);
        if (!parsedKey.ok) return parsedKey;
        const wrong = ratingErrors(body);
        if (wrong.length > 0) return validationRefusal(wrong);
        return comparisonReply(store, caller.accountId, body);
      },
      docs: {
        operationId: 'compareRuns',
        tag: 'Runs',
        summary: 'Compare runs',
        description:
          'Minimum, maximum, average, median and the statistics of a time study for each stage over the runs and for their totals, also across maps.',
        response: { status: 200, description: 'The figures.', schema: Comparison },
        codes: ['run_not_found'],
        idempotency: 'unneeded',
        examples: {
          plain: { summary: 'Two runs of a map', body: { run_ids: [exampleRunIds.first, exampleRunIds.second] } },
          study: {
            summary: 'With an allowance, a takt time and the pace of one run',
            body: {
              run_ids: [exampleRunIds.first, exampleRunIds.second],
              allowance: 0.12,
              ratings: [{ run_id: exampleRunIds.second, rating: 1.1 }],
              takt_secs: 90,
            },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/runs/:run_id',
      access: ['read'],
      async handle({ caller, params }) {
        const runId = parseRunId(params);
        if (!runId.ok) return runId;
        const run = await store.run(caller.accountId, runId.id);
        if (!run) return runNotFoundRefusal(runId.id);
        const { body, etag } = await withPhotos(services, caller.accountId, run);
        return successReply(200, body, { ETag: etag });
      },
      docs: {
        operationId: 'getRun',
        tag: 'Runs',
        summary: 'Get a run',
        description:
          'The run with every step: its duration, notes and photo references, and which of these photos are there. `If-Match` takes its ETag, although that changes with the photos, too.',
        response: { status: 200, description: 'The run.', schema: RunWithPhotos, headers: ['ETag'] },
        conditionalRead: true,
        examples: { plain: { summary: 'A run with its steps', path: { run_id: exampleRunIds.first } } },
      },
    }),

    route({
      method: 'PATCH',
      path: '/api/v1/runs/:run_id',
      access: ['write'],
      body: RunPatch,
      async handle(request) {
        const runId = parseRunId(request.params);
        if (!runId.ok) return runId;
        const args = { ...request.body, run_id: runId.id };
        return applyAndReply(services, request, { name: 'update_run', args, render: renderRun });
      },
      docs: {
        operationId: 'updateRun',
        tag: 'Runs',
        summary: 'Name, tag, note or exclude a run',
        description: 'Changes what the body names and leaves the rest. The steps and times stay as they are.',
        response: { status: 200, description: 'The run as it is now.', schema: RunDoc, headers: ['ETag'] },
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          exclude: {
            summary: 'A run that should not count',
            path: { run_id: exampleRunIds.first },
            body: { name: 'First try', tags: ['early shift'], excluded: { reason: 'The printer was out of paper.' } },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/runs/:run_id/correct',
      access: ['write'],
      body: RunCorrection,
      async handle(request) {
        const runId = parseRunId(request.params);
        if (!runId.ok) return runId;
        const args = { ...request.body, run_id: runId.id };
        return applyAndReply(services, request, { name: 'correct_run', args, render: renderRun });
      },
      docs: {
        operationId: 'correctRun',
        tag: 'Runs',
        summary: 'Correct the steps of a run',
        description:
          'Replaces the steps of the run by those of the body, as its next revision: steps can be renamed, retyped, noted, split, joined and left out. `recorded_steps` keeps the steps as they were recorded. The map keeps its stages.',
        response: { status: 200, description: 'The run as it is now.', schema: RunDoc, headers: ['ETag'] },
        conditionalWrite: true,
        idempotency: 'key',
        examples: {
          split: {
            summary: 'A step split in two',
            path: { run_id: exampleRunIds.second },
            body: {
              steps: [
                { stage_name: 'Pick', order: 1, duration_secs: 1030, work_type: 'valuable' },
                { stage_name: 'Print the order', order: 2, duration_secs: 40, work_type: 'incidental' },
                { stage_name: 'Wait for the printer', order: 3, duration_secs: 62, work_type: 'waste' },
                { stage_name: 'Pack', order: 4, duration_secs: 580, duration_estimated: true, work_type: 'valuable' },
              ],
            },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/runs/:run_id/delete',
      access: ['write'],
      body: Closed({}),
      async handle(request) {
        const runId = parseRunId(request.params);
        if (!runId.ok) return runId;
        const args = { run_id: runId.id };
        return applyAndReply(services, request, { name: 'delete_run', args, render: renderDeletedRun });
      },
      docs: {
        operationId: 'deleteRun',
        tag: 'Runs',
        summary: 'Delete a run',
        description: 'Deletes a run for good: the second time it is 404. Its recording does not come back to life.',
        response: { status: 200, description: 'What is left of it.', schema: DeletedRun },
        idempotency: 'key',
        examples: { plain: { summary: 'A run, for good', path: { run_id: exampleRunIds.recorded } } },
      },
    }),
  ];
}

function renderRun({ run }: AffectedRecords): JsonResponse {
  assert(run?.doc, 'a run that changes exists');
  return { status: 200, headers: { ETag: etagOf(run.doc) }, body: run.doc };
}

function renderDeletedRun({ run }: AffectedRecords): JsonResponse {
  assert(run, 'a deleted run keeps its row');
  const { id, map_id, number } = run;
  return { status: 200, headers: {}, body: { id, map_id, number, deleted: true } };
}
