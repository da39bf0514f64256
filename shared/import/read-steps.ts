/**
 * Reads a file of steps into recordings, without any knowledge of an account:
 *
 *   text ─► header ─► lines, each a step ─► recordings, each with all of its steps
 */
import { stepOrderErrors } from '../domain/run.ts';
import { recordingsPerImportMax, stepsPerImportMax } from '../schema/integration/import-limits.ts';
import { stepsPerRecordingMax } from '../schema/limits.ts';
import { refuseBackwardStarts, refuseDistantSteps, refuseIncompleteMaps } from './check-rows.ts';
import { readHeader, type ColumnName } from './columns.ts';
import { csvRecords } from './csv-records.ts';
import { decodeFile } from './decode-file.ts';
import { ErrorList, type ImportErrorInfo } from './error-list.ts';
import type { FileRecording, ImportChecks } from './file-recording.ts';
import { checksPerRecording, type YieldIfDue } from './time-slices.ts';
import { schemaErrorOf, readRow, type RowContext, type StepRow } from './read-row.ts';
import { separatorOf } from './separator.ts';

interface ReadOptions {
  checks: ImportChecks;
  yieldIfDue: YieldIfDue;
}

export interface StepsFile {
  recordings: FileRecording[];
  ignoredColumns: string[];
  errors: ErrorList;
}

export async function readSteps(file: Uint8Array | string, { checks, yieldIfDue }: ReadOptions): Promise<StepsFile> {
  const errors = new ErrorList();
  const decoded = typeof file === 'string' ? { ok: true as const, text: file } : decodeFile(file);
  if (!decoded.ok) {
    errors.add({ line: decoded.line, column: null }, { code: 'not_utf8' });
    return { recordings: [], ignoredColumns: [], errors };
  }
  const text = decoded.text.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  if (!separator.ok) {
    errors.add({ line: 1, column: null }, separator.error);
    return { recordings: [], ignoredColumns: [], errors };
  }
  const { delimiter, isNamed } = separator;
  const records = csvRecords(text, delimiter);
  if (isNamed) records.next();
  let first = records.next();
  while (!first.done && first.value.cells.length === 0) {
    const turn = yieldIfDue({ phase: 'reading', done: first.value.end, total: text.length });
    if (turn) await turn;
    first = records.next();
  }
  if (first.done && first.value) {
    errors.add({ line: first.value.line, column: null }, first.value.error);
    return { recordings: [], ignoredColumns: [], errors };
  }
  const header = readHeader(first.done ? [] : first.value.cells, errors);
  const context = { header, delimiter, marks: {}, errors, checks };
  const rowsByRecording =
    errors.total > 0
      ? new Map<string, StepRow[]>()
      : await readRows(records, context, (done) => yieldIfDue({ phase: 'reading', done, total: text.length }));
  refuseIncompleteMaps(rowsByRecording.values(), context);
  const recordings: FileRecording[] = [];
  let done = 0;
  for (const rows of rowsByRecording.values()) {
    const recording = readRecording(rows, context);
    if (recording) recordings.push(recording);
    done += 1;
    const turn = yieldIfDue({ phase: 'checking', done, total: checksPerRecording * rowsByRecording.size });
    if (turn) await turn;
  }
  return { recordings, ignoredColumns: header.ignored, errors };
}

/** Reads the lines and groups them by recording, in the order of the recordings' first lines. */
async function readRows(
  records: ReturnType<typeof csvRecords>,
  context: RowContext,
  yieldAt: (place: number) => ReturnType<YieldIfDue>,
): Promise<ReadonlyMap<string, StepRow[]>> {
  const { errors } = context;
  const byRecording = new Map<string, StepRow[]>();
  let steps = 0;
  for (let place = 0; ;) {
    const turn = yieldAt(place);
    if (turn) await turn;
    const record = records.next();
    if (record.done) {
      if (record.value) errors.add({ line: record.value.line, column: null }, record.value.error);
      else if (steps === 0) errors.add({ line: 1, column: null }, { code: 'steps_missing' });
      return byRecording;
    }
    place = record.value.end;
    if (record.value.cells.length === 0) continue;
    steps += 1;
    const row = readRow(record.value, context);
    if (row) {
      const group = groupKeyOf(row);
      const rows = byRecording.get(group);
      if (rows) rows.push(row);
      else byRecording.set(group, [row]);
    }
    if (steps > stepsPerImportMax || byRecording.size > recordingsPerImportMax) {
      errors.add({ line: record.value.line, column: null }, { code: 'file_too_long' });
      return new Map();
    }
  }
}

/**
 * Returns the text that identifies a line's recording. Keys other than session ids may repeat in another map, as run
 * numbers do.
 */
const groupKeyOf = ({ key, map }: StepRow): string =>
  JSON.stringify(key.column === 'recording_session_id' ? [key] : [key, map]);

function readRecording(rows: StepRow[], { header, errors, checks }: RowContext): FileRecording | undefined {
  const errorsBefore = errors.total;
  const first = rows[0]!;
  const { line, key, map } = first;
  const placeOf = (at: StepRow, column: ColumnName) => ({ line: at.line, column: header.nameOf(column) });
  const refuse = (at: StepRow, column: ColumnName, error: ImportErrorInfo) => errors.add(placeOf(at, column), error);

  const otherMap = rows.find((row) => row.map.id !== map.id || row.map.name !== map.name);
  if (otherMap) {
    const column = otherMap.map.id === map.id ? 'map_name' : 'map_id';
    refuse(otherMap, column, { code: 'recording_of_two_maps', params: { other_line: line } });
  }
  const excess = rows[stepsPerRecordingMax];
  if (excess) refuse(excess, key.column, { code: 'recording_too_long', params: { limit: stepsPerRecordingMax } });
  const ordered = rows.some(({ hasOrder }) => hasOrder);
  const unordered = ordered && rows.find(({ hasOrder }) => !hasOrder);
  if (unordered) refuse(unordered, 'order', { code: 'order_required' });
  const steps = rows.map(({ step }, index) => (ordered ? step : { ...step, order: index + 1 }));
  for (const { path } of ordered && !unordered ? stepOrderErrors(steps) : []) {
    const row = rows[Number(path.split('/')[2])]!;
    refuse(row, 'order', { code: 'order_duplicate', params: { order: row.step.order } });
  }
  refuseBackwardStarts(rows, refuse);
  const timeColumn = header.present(['started_at', 'ended_at']);
  // A key such as a run number may be used again on another day. Steps with an `order` belong to one recording.
  const mayBeTwoRecordings = key.column !== 'recording_session_id' && !ordered && errors.total === errorsBefore;
  if (mayBeTwoRecordings) {
    refuseDistantSteps(rows, (row, values) => {
      const params = { ...values, key_column: header.nameOf(key.column) };
      refuse(row, timeColumn, { code: 'steps_distant', params });
    });
  }
  if (characterCountOf(rows) > charactersPerRecordingMax) {
    refuse(first, key.column, { code: 'recording_too_large', params: { limit: charactersPerRecordingMax } });
  }
  const began = rows.toSorted((a, b) => a.step.order - b.step.order)[0]!;
  const { started_at } = ordered ? began : first;
  const session = key.column === 'recording_session_id' ? { recording_session_id: key.text } : {};
  for (const { path, message } of checks.recording({
    ...session,
    ...(started_at === undefined ? {} : { started_at }),
    steps: [first.step],
  })) {
    const place = path === '/started_at' ? placeOf(began, 'started_at') : placeOf(first, key.column);
    const column = path === '/started_at' ? 'started_at' : key.column;
    errors.addInvalid(place, schemaErrorOf(column), message);
  }
  if (errors.total > errorsBefore) return undefined;
  const mapColumns = { id: header.nameOf('map_id'), name: header.nameOf('map_name') };
  const startColumn = header.nameOf(timeColumn);
  return { line, map, mapColumns, key, keyColumn: header.nameOf(key.column), started_at, startColumn, steps };
}

/** Limits a recording, since a push must contain it as a whole. */
const charactersPerRecordingMax = 2_000_000;

const characterCountOf = (rows: StepRow[]): number =>
  rows.reduce((sum, { step }) => sum + step.stage_name.length + (step.notes?.length ?? 0), 0);
