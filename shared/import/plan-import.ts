/** Plans an import: the new maps, the uploads of recordings that do not exist yet, and the report. */
import { fingerprintText } from '../domain/recording-fingerprint.ts';
import type { ImportReport } from '../schema/integration/import-report.ts';
import type { RecordingStep, StagesMode } from '../schema/recording.ts';
import type { ErrorList } from './error-list.ts';
import type { FoundMap } from './find-map.ts';
import { checksPerRecording, type YieldIfDue } from './time-slices.ts';
import type { PlacedRecording } from './place-recordings.ts';
import type { StepsFile } from './read-steps.ts';

export interface ImportPlan {
  report: ImportReport;
  newMaps: { map_id: string; name: string }[];
  uploads: ImportedUpload[];
}

/** The args of the mutation `upload_recording` of an imported recording. */
export interface ImportedUpload {
  map_id: string;
  recording_session_id: string;
  started_at?: string;
  steps: RecordingStep[];
  stages: StagesMode;
}

/** A recording session that the account already has. */
export interface EarlierRecording {
  map_id: string;
  /** True if the run was deleted. An import never restores a deleted run. */
  isDeleted: boolean;
  /**
   * The start of the run, and the start by the device's clock if the server corrected it. Empty if the run has no
   * start.
   */
  starts: readonly string[];
  /** Tells whether the text is the `contentText` of the run's current steps or of its steps before any correction. */
  hasContent(text: string): boolean;
}

interface PlanOptions {
  placed: PlacedRecording[];
  /** The recording sessions of the file that the account already has, by their ids. */
  earlier: ReadonlyMap<string, EarlierRecording>;
  dryRun: boolean;
  yieldIfDue: YieldIfDue;
}

/**
 * Plans the import. Adds an error for each recording session that the account has with other steps or another start.
 */
export async function planImport(
  { recordings, ignoredColumns, errors }: StepsFile,
  { placed, earlier, dryRun, yieldIfDue }: PlanOptions,
): Promise<ImportPlan> {
  const fresh: PlacedRecording[] = [];
  const maps = new Map<string, FoundMap & { recordings: number }>();
  const lines = new Map<string, number>();
  let [alreadyThere, deleted] = [0, 0];
  const total = placed.length;
  for (const [index, one] of placed.entries()) {
    refuseSameSession(one, lines, errors);
    const there = earlier.get(one.sessionId);
    if (!there) fresh.push(one);
    else if (there.isDeleted) deleted += 1;
    else if (hasSameContent(one, there, errors)) alreadyThere += 1;
    maps.set(one.map.id, { ...one.map, recordings: (maps.get(one.map.id)?.recordings ?? 0) + 1 });
    const turn = yieldIfDue({ phase: 'checking', done: 2 * total + index + 1, total: checksPerRecording * total });
    if (turn) await turn;
  }
  const willWrite = !dryRun && errors.total === 0;
  return {
    report: {
      dry_run: dryRun,
      recordings: recordings.length,
      new: fresh.length,
      already_there: alreadyThere,
      deleted,
      steps: recordings.reduce((sum, { steps }) => sum + steps.length, 0),
      maps: [...maps.values()].map(({ id, name, isNew, recordings: count }) => ({
        map_id: isNew && !willWrite ? null : id,
        name,
        new: isNew,
        recordings: count,
      })),
      ignored_columns: ignoredColumns,
      errors: errors.first(),
      errors_total: errors.total,
      warnings: errors.warnings.first(),
      warnings_total: errors.warnings.total,
    },
    newMaps: [...maps.values()].flatMap(({ id, name, isNew }) => (isNew ? [{ map_id: id, name }] : [])),
    uploads: uploadsOf(fresh),
  };
}

/**
 * Refuses a second recording with the same session id. For example, identical recordings of two maps with one name have
 * the same session id.
 */
function refuseSameSession({ recording, sessionId }: PlacedRecording, lines: Map<string, number>, errors: ErrorList) {
  const { line, keyColumn } = recording;
  const earlier = lines.get(sessionId);
  if (earlier === undefined) lines.set(sessionId, line);
  else {
    errors.add({ line, column: keyColumn }, { code: 'recording_duplicate', params: { other_line: earlier } });
  }
}

/** Tells whether the account's recording equals the file's recording. Adds an error if they differ. */
function hasSameContent(
  { recording, map, sessionId }: PlacedRecording,
  { map_id, starts, hasContent }: EarlierRecording,
  errors: ErrorList,
): boolean {
  const place = { line: recording.line, column: recording.keyColumn };
  const params = { recording_session_id: sessionId };
  if (hasContent(contentText(map.id, recording.steps))) {
    const [started_at] = starts;
    if (started_at === undefined || isStartAmong(recording, starts)) return true;
    const startPlace = { ...place, column: recording.startColumn };
    errors.add(startPlace, { code: 'session_with_other_start', params: { ...params, started_at } });
    return false;
  }
  if (map_id === map.id) errors.add(place, { code: 'session_with_other_steps', params });
  else errors.add(place, { code: 'session_of_other_map', params: { ...params, map_id } });
  return false;
}

/**
 * Returns true if the file gives no start, or if one of `starts` differs by at most `startToleranceMs`. Other tools may
 * have rounded the start.
 */
function isStartAmong({ started_at }: PlacedRecording['recording'], starts: readonly string[]): boolean {
  if (started_at === undefined) return true;
  return starts.some((start) => Math.abs(Date.parse(start) - Date.parse(started_at)) <= startToleranceMs);
}

const startToleranceMs = 1000;

/** Returns the text that identifies a recording's content. The text leaves out photos, which imports do not read. */
export const contentText = (mapId: string, steps: RecordingStep[]): string =>
  fingerprintText(
    { mapId },
    steps.map((step) => ({ ...step, photos: [] })),
  );

/** Makes the uploads. A map without stages gets the stages of its first recording; existing stages stay as they are. */
function uploadsOf(placed: PlacedRecording[]): ImportedUpload[] {
  const withStages = new Set<string>();
  return placed.map(({ recording: { started_at, steps }, map, sessionId }) => {
    const stages = map.hasStages || withStages.has(map.id) ? 'keep' : 'merge';
    withStages.add(map.id);
    const upload = { map_id: map.id, recording_session_id: sessionId, steps, stages } as const;
    return started_at === undefined ? upload : { ...upload, started_at };
  });
}
