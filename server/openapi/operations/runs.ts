import { DeletedRun, Page } from '../../../shared/schema/answers.ts';
import { Comparison, RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { orderMapId, runIds } from '../example-ids.ts';
import { paging, type Resource } from '../notes.ts';

export const runs: Resource = {
  tag: 'Runs',
  description: 'A run is a numbered observation of a map: what a recording became. It never changes.',
  operations: {
    'GET /api/v1/maps/:id/runs': {
      operationId: 'listRuns',
      summary: 'List runs of a map',
      description: 'The runs of a map, newest first, each with its total time and PCE.',
      query: paging,
      answer: { status: 200, description: 'A page of runs.', schema: Page(RunRecord), headers: ['Link'] },
      codes: ['map_deleted'],
      examples: { plain: { summary: 'All runs of a map', path: { id: orderMapId } } },
    },

    'GET /api/v1/runs/:run_id': {
      operationId: 'getRun',
      summary: 'Get a run',
      description: 'The run with every step: its duration, notes and photo references.',
      answer: { status: 200, description: 'The run.', schema: RunDoc, headers: ['ETag'] },
      conditionalRead: true,
      examples: { plain: { summary: 'A run with its steps', path: { run_id: runIds.first } } },
    },

    'POST /api/v1/runs/compare': {
      operationId: 'compareRuns',
      summary: 'Compare runs',
      description: 'Minimum, maximum, average and median of each stage over the runs, also across maps.',
      answer: { status: 200, description: 'The figures.', schema: Comparison },
      codes: ['run_not_found'],
      idempotency: 'key',
      examples: { plain: { summary: 'Two runs of a map', body: { run_ids: [runIds.first, runIds.second] } } },
    },

    'POST /api/v1/runs/:run_id/delete': {
      operationId: 'deleteRun',
      summary: 'Delete a run',
      description: 'Deletes a run for good: the second time it is 404. Its recording does not come back to life.',
      answer: { status: 200, description: 'What is left of it.', schema: DeletedRun },
      idempotency: 'key',
      examples: { plain: { summary: 'A run, for good', path: { run_id: runIds.recorded } } },
    },
  },
};
