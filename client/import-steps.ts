/** Imports the steps of a file on the device, as the server does. Loaded on first use. */
import type { ImportChecks } from '../shared/import/file-recording.ts';
import { createYieldIfDue, type ImportProgress } from '../shared/import/time-slices.ts';
import { placeRecordings } from '../shared/import/place-recordings.ts';
import {
  contentText,
  planImport,
  type EarlierRecording,
  type ImportedUpload,
  type ImportPlan,
} from '../shared/import/plan-import.ts';
import { readSteps } from '../shared/import/read-steps.ts';
import { fieldErrors } from '../shared/schema/field-errors.ts';
import type { ImportReport } from '../shared/schema/integration/import-report.ts';
import { importBytesMax } from '../shared/schema/integration/import-limits.ts';
import type { MutationArgs } from '../shared/schema/mutation.ts';
import { GembaError } from './core/errors.ts';
import { sha256 } from './core/hash.ts';
import type { IdGenerator } from './core/ids.ts';
import { requireSendable } from './core/sendable.ts';
import { loadMutationValidators, requireFields, throwIfInvalid } from './core/validate.ts';
import type { ExportVerbs } from './export-runs.ts';
import { newMutation, type NewMutation } from './outbox/model/mutation.ts';
import type { Outbox } from './outbox/outbox.ts';
import { findEarlierRecording } from './recording/earlier-recording.ts';
import type { View } from './view/view.ts';

export interface ImportOptions {
  /** True to get only the report and store nothing. Default: false. */
  dryRun?: boolean;
  /**
   * True to make the maps that the file names and the device lacks. Default: false, so that each such map is an error.
   */
  createMaps?: boolean;
  /** Called during the import, about every 5 ms and after each write. */
  onProgress?: (progress: ImportProgress) => void;
  /** Ends the import if it has stored nothing yet: the verb rejects with the signal's reason. Has no effect later. */
  signal?: AbortSignal;
}

/** The verbs of `Gemba` that import, export and draw. */
export interface InterchangeVerbs extends ExportVerbs {
  /**
   * Imports a `steps.csv`. Importing it again makes no second run. Resolves to the same report as `POST /import`. If
   * its `errors_total` is not 0, nothing was stored. Errors: `payload_too_large` for a file of over 8 MiB.
   */
  importSteps(file: Blob | string, options?: ImportOptions): Promise<ImportReport>;
}

interface ImportParts {
  view: View;
  outbox: Outbox;
  ids: IdGenerator;
  now: () => string;
  /** Runs one verb at a time, so that no other verb adds the same recording between the check and the write. */
  runInTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export async function importSteps(
  parts: ImportParts,
  file: Blob | string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  requireFields(options, ['dryRun', 'createMaps', 'onProgress', 'signal']);
  const { dryRun = false, createMaps = false, onProgress = () => {}, signal } = options;
  throwIfInvalid([
    ...(typeof dryRun === 'boolean' ? [] : [{ path: '/dryRun', message: 'must be true or false' }]),
    ...(typeof createMaps === 'boolean' ? [] : [{ path: '/createMaps', message: 'must be true or false' }]),
    ...(typeof onProgress === 'function' ? [] : [{ path: '/onProgress', message: 'must be a function' }]),
    ...(signal === undefined || signal instanceof AbortSignal
      ? []
      : [{ path: '/signal', message: 'must be an AbortSignal' }]),
  ]);
  const yieldIfDue = createYieldIfDue(async (progress) => {
    onProgress(progress);
    await waitForNextTurn();
    signal?.throwIfAborted();
  });
  const checks = await loadImportChecks();
  const read = await readSteps(await readContent(file), { checks, yieldIfDue });
  const account = { maps: parts.view.allMaps(), moreMapsMax: undefined };
  const placed = await placeRecordings(read, { account, createMaps, checks, sha256, yieldIfDue });
  const earlier = new Map(
    placed.flatMap(({ sessionId }) => {
      const there = earlierRecordingForPlan(parts, sessionId);
      return there ? [[sessionId, there] as const] : [];
    }),
  );
  const plan = await planImport(read, { placed, earlier, dryRun, yieldIfDue });
  const { report } = plan;
  signal?.throwIfAborted();
  if (dryRun || report.errors_total > 0) return report;
  const repeated = await storePlan(plan, parts, onProgress);
  return { ...report, new: report.new - repeated, already_there: report.already_there + repeated };
}

const waitForNextTurn = () => new Promise((resolve) => setTimeout(resolve));

/** Returns a text unchanged: UTF-8 cannot encode lone surrogates, so its bytes would silently have other characters. */
async function readContent(file: unknown): Promise<Uint8Array | string> {
  const isFile = typeof file === 'string' || file instanceof Blob;
  if (!isFile) throwIfInvalid([{ path: '/file', message: 'must be a Blob or a text' }]);
  const blob = new Blob([file as Blob | string]);
  if (blob.size > importBytesMax) {
    throw new GembaError({ code: 'payload_too_large', detail: 'The file has more than 8 MiB; divide it.' });
  }
  return typeof file === 'string' ? file : new Uint8Array(await blob.arrayBuffer());
}

async function loadImportChecks(): Promise<ImportChecks> {
  const { recording_step, recording, create_map } = await loadMutationValidators();
  const errorsOf = (isValid: typeof recording) => (value: unknown) =>
    isValid(value) ? [] : fieldErrors(isValid.errors ?? []);
  return { step: errorsOf(recording_step), recording: errorsOf(recording), newMap: errorsOf(create_map) };
}

/** Returns the recording that the device already has of this session, in the form that `planImport` needs. */
function earlierRecordingForPlan(parts: ImportParts, sessionId: string): EarlierRecording | undefined {
  const earlier = findEarlierRecording(parts, sessionId);
  if (!earlier) return undefined;
  const { finished, versions, starts } = earlier;
  return {
    map_id: finished.map_id,
    isDeleted: false,
    starts,
    hasContent: (text) => versions.some((steps) => contentText(finished.map_id, steps) === text),
  };
}

/** How many recordings one transaction of the device's database stores. */
const recordingsPerWriteMax = 25;

/** Stores the maps and recordings of the plan. Returns how many recordings another import has stored meanwhile. */
async function storePlan(
  { newMaps, uploads }: ImportPlan,
  parts: ImportParts,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const { ids, runInTurn, view } = parts;
  let repeated = 0;
  const withIds = uploads.map((upload) => withNewIds(upload, ids));
  for (const args of withIds) requireSendable(args);
  await runInTurn(() => {
    const missing = newMaps.filter(({ map_id }) => !view.map(map_id));
    return appendMutations(
      parts,
      missing.map((args) => newMutation({ name: 'create_map', args })),
    );
  });
  for (let from = 0; from < withIds.length; from += recordingsPerWriteMax) {
    const batch = withIds.slice(from, from + recordingsPerWriteMax);
    await runInTurn(() => {
      const missing = batch.filter(({ recording_session_id }) => !findEarlierRecording(parts, recording_session_id));
      repeated += batch.length - missing.length;
      return appendMutations(
        parts,
        missing.map((args) => newMutation({ name: 'upload_recording', args })),
      );
    });
    onProgress({ phase: 'saving', done: from + batch.length, total: withIds.length });
    await waitForNextTurn();
  }
  return repeated;
}

const withNewIds = (upload: ImportedUpload, ids: IdGenerator) =>
  ({
    ...upload,
    run_id: ids.integer(),
    stage_ids: ids.integers(upload.steps.length),
  }) satisfies MutationArgs['upload_recording'];

/**
 * Appends the mutations. Throws and stores none of them if the view refuses one, for example because its map is
 * deleted.
 */
async function appendMutations({ view, outbox, now }: ImportParts, mutations: NewMutation[]): Promise<void> {
  for (const { name, args } of mutations) {
    const outcome = view.dryRun({ name, args, recorded_at: now() });
    if (!outcome.ok) throw new GembaError(outcome.error);
  }
  if (mutations.length > 0) await outbox.writer.append(mutations);
}
