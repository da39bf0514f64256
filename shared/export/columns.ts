/** The columns of exported tables, for both CSV and XLSX. */
import type { RunStep } from '../schema/run.ts';
import type { ExportedRun } from './exported-run.ts';
import { stepTimesOf, type StepTimes } from './step-times.ts';

/** The value of a cell; null leaves it empty. */
export type Cell = string | number | boolean | null;

/** `id` is a number that is written as text, since spreadsheets would round it to 15 digits. */
type ColumnKind = 'text' | 'number' | 'boolean' | 'time' | 'id';

export interface Column<Row> {
  name: string;
  kind: ColumnKind;
  cell(row: Row): Cell;
}

export interface StepRow extends ExportedRun {
  step: RunStep;
  times: StepTimes;
}

export function stepRowsOf(exported: ExportedRun): StepRow[] {
  const times = stepTimesOf(exported.run);
  return exported.run.steps.map((step, index) => ({ ...exported, step, times: times[index]! }));
}

const identityColumns: Column<ExportedRun>[] = [
  { name: 'run_id', kind: 'id', cell: ({ run }) => run.id },
  { name: 'run_number', kind: 'number', cell: ({ run }) => run.number },
  { name: 'map_id', kind: 'text', cell: ({ run }) => run.map_id },
  { name: 'map_name', kind: 'text', cell: ({ mapName }) => mapName },
  { name: 'recording_session_id', kind: 'text', cell: ({ run }) => run.recording_session_id },
  { name: 'device_id', kind: 'text', cell: ({ run }) => run.device_id },
];

export const stepColumns: Column<StepRow>[] = [
  ...identityColumns,
  { name: 'order', kind: 'number', cell: ({ step }) => step.order },
  { name: 'stage_name', kind: 'text', cell: ({ step }) => step.stage_name },
  { name: 'started_at', kind: 'time', cell: ({ times }) => times.startedAt },
  { name: 'ended_at', kind: 'time', cell: ({ times }) => times.endedAt },
  { name: 'duration_secs', kind: 'number', cell: ({ step }) => step.duration_secs },
  { name: 'duration_estimated', kind: 'boolean', cell: ({ step }) => step.duration_estimated },
  { name: 'work_type', kind: 'text', cell: ({ step }) => step.work_type },
  { name: 'value_add', kind: 'boolean', cell: ({ step }) => step.value_add },
  { name: 'notes', kind: 'text', cell: ({ step }) => step.notes },
  { name: 'photos', kind: 'text', cell: ({ step }) => step.photos.join(' ') },
];

export const runColumns: Column<ExportedRun>[] = [
  ...identityColumns,
  { name: 'started_at', kind: 'time', cell: ({ run }) => run.started_at },
  { name: 'created_at', kind: 'time', cell: ({ run }) => run.created_at },
  { name: 'total_time_secs', kind: 'number', cell: ({ run }) => run.total_time_secs },
  { name: 'value_add_time_secs', kind: 'number', cell: ({ run }) => run.value_add_time_secs },
  { name: 'pce', kind: 'number', cell: ({ run }) => run.pce },
  { name: 'step_count', kind: 'number', cell: ({ run }) => run.step_count },
  { name: 'name', kind: 'text', cell: ({ run }) => run.name ?? null },
  { name: 'tags', kind: 'text', cell: ({ run }) => run.tags?.join('; ') ?? null },
  { name: 'note', kind: 'text', cell: ({ run }) => run.note ?? null },
  { name: 'excluded', kind: 'boolean', cell: ({ run }) => Boolean(run.excluded) },
  { name: 'excluded_reason', kind: 'text', cell: ({ run }) => run.excluded?.reason ?? null },
  { name: 'revision', kind: 'number', cell: ({ run }) => run.revision ?? 1 },
];
