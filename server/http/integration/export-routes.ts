/** The routes that export runs as files. */
import { Type } from 'typebox';
import { exportFacts, type ExportFormat } from '../../../shared/export/formats.ts';
import { Closed, Described, Uuid } from '../../../shared/schema/fields.ts';
import { runsPerExportMax } from '../../../shared/schema/limits.ts';
import { createExportSlots } from '../../export/export-slots.ts';
import type { RouteDocs } from '../../openapi/route-docs.ts';
import { exampleOrderMapId, exampleRunIds } from '../routes/example-ids.ts';
import { route, type Route } from '../route.ts';
import { runFilterFields } from '../run-list.ts';
import type { Services } from '../services.ts';
import { createExportHandler } from './export-reply.ts';

const selectionFields = {
  map_id: Described(Type.Optional(Uuid), 'Only runs of this map.'),
  from: runFilterFields.from,
  to: runFilterFields.to,
  run_ids: Described(
    Type.Optional(Type.String({ minLength: 1, expected: 'ids of runs with commas between them' })),
    `Only these runs, at most ${runsPerExportMax}, with commas between their ids. Default: all whose map is not in the recycle bin.`,
  ),
};

const csvFields = {
  guard: Described(
    Type.Optional(Type.Boolean({ expected: 'true or false' })),
    'Whether a text that a spreadsheet would run as a formula begins with an apostrophe. Default: true.',
  ),
  bom: Described(
    Type.Optional(Type.Boolean({ expected: 'true or false' })),
    'Whether the file begins with a byte order mark, by which Excel knows UTF-8. Default: false.',
  ),
};

const SelectionQuery = Closed(selectionFields);
const CsvQuery = Closed({ ...selectionFields, ...csvFields });
const XesQuery = Closed({
  ...selectionFields,
  lifecycle: Described(
    Type.Optional(Type.Enum(['complete', 'pairs'], { expected: 'complete or pairs' })),
    'One event for each step, or one for its start and one for its end. Default: `complete`.',
  ),
});

export function exportRoutes(services: Services): Route[] {
  const replyOf = createExportHandler(services, createExportSlots());
  const exportFields: Pick<Route, 'method' | 'access'> = { method: 'GET', access: ['read'] };
  return [
    route({
      ...exportFields,
      path: '/api/v1/export/steps.csv',
      query: CsvQuery,
      handle: (request) => replyOf('steps.csv', request),
      docs: docsOf('steps.csv', {
        operationId: 'exportStepsCsv',
        summary: 'Export steps as CSV',
        description:
          'A line for each step of each run, the oldest run first. The steps of a run follow on each other from its start, and a run without `started_at` began its total time before it arrived.',
        examples: {
          july: {
            summary: 'The steps of the runs of July',
            query: { map_id: exampleOrderMapId, from: '2026-07-01T00:00:00Z', to: '2026-08-01T00:00:00Z' },
          },
        },
      }),
    }),

    route({
      ...exportFields,
      path: '/api/v1/export/runs.csv',
      query: CsvQuery,
      handle: (request) => replyOf('runs.csv', request),
      docs: docsOf('runs.csv', {
        operationId: 'exportRunsCsv',
        summary: 'Export runs as CSV',
        description:
          'A line for each run, the oldest first. `started_at` is empty where nobody said when the run began.',
        examples: { plain: { summary: 'All runs', query: {} } },
      }),
    }),

    route({
      ...exportFields,
      path: '/api/v1/export/steps.xlsx',
      query: SelectionQuery,
      handle: (request) => replyOf('steps.xlsx', request),
      docs: docsOf('steps.xlsx', {
        operationId: 'exportStepsXlsx',
        summary: 'Export steps as a spreadsheet',
        description:
          'The lines of the CSV in typed cells: times in UTC, and ids as text, since a spreadsheet would round them. No text is a formula. A text is cut after 32,767 characters.',
        examples: {},
      }),
    }),

    route({
      ...exportFields,
      path: '/api/v1/export/log.xes',
      query: XesQuery,
      handle: (request) => replyOf('log.xes', request),
      docs: docsOf('log.xes', {
        operationId: 'exportXes',
        summary: 'Export an event log as XES',
        description:
          'An event log of IEEE 1849 for process mining: a trace for each run, an event for each step with `time:timestamp` at its end and `start_timestamp`.',
        examples: { one: { summary: 'One run', query: { run_ids: String(exampleRunIds.second) } } },
      }),
    }),

    route({
      ...exportFields,
      path: '/api/v1/export/log.ocel.json',
      query: SelectionQuery,
      handle: (request) => replyOf('log.ocel.json', request),
      docs: docsOf('log.ocel.json', {
        operationId: 'exportOcel',
        summary: 'Export an object-centric event log',
        description: 'An event log of OCEL 2.0: maps, runs and devices are objects, and each step is an event.',
        examples: { one: { summary: 'One run', query: { run_ids: String(exampleRunIds.second) } } },
      }),
    }),
  ];
}

function docsOf(
  format: ExportFormat,
  docs: Pick<RouteDocs, 'operationId' | 'summary' | 'description' | 'examples'>,
): RouteDocs {
  const { contentType } = exportFacts[format];
  const isJson = contentType === 'application/json';
  return {
    ...docs,
    tag: 'Exports',
    response: {
      status: 200,
      description: 'The file.',
      schema: isJson ? Type.Object({}) : Type.String(),
      contentType: contentType.split(';')[0]!,
      headers: ['Content-Disposition'],
    },
    codes: ['map_not_found', 'map_deleted', 'run_not_found', 'export_too_large'],
  };
}
