/** Exports runs on the device, with the same bytes as the server. Loaded on first use. */
import { byArrival, type ExportedRun } from '../shared/export/exported-run.ts';
import {
  exportFormats,
  exportInPieces,
  exportFacts,
  optionsOfFormat,
  type ExportFormat,
  type ExportOptions,
} from '../shared/export/formats.ts';
import type { FieldError } from '../shared/schema/field-errors.ts';
import { idMax } from '../shared/schema/limits.ts';
import { GembaError } from './core/errors.ts';
import { requireFields, throwIfInvalid } from './core/validate.ts';
import type { DrawingVerbs } from './draw-value-stream.ts';
import type { View } from './view/view.ts';

/** The verbs of `Gemba` that export and draw. */
export interface ExportVerbs extends DrawingVerbs {
  /**
   * Returns the file of `GET /export/…` for these runs, with the same bytes. Errors: `run_not_found` if the device
   * lacks a run, and `export_too_large`.
   */
  exportRuns(format: ExportFormat, runIds: number[], options?: ExportOptions): Promise<Blob>;
}

interface ExportSources {
  view: Pick<View, 'run' | 'map'>;
  /** Loads the runs that a device with a scope does not hold. */
  ensureRuns: (args: object) => Promise<void> | undefined;
}

/**
 * Limits how many run ids a call takes. In practice, the limit of steps of the file format refuses an export earlier.
 */
const runsMax = 200_000;

export async function exportRuns(
  { view, ensureRuns }: ExportSources,
  format: ExportFormat,
  runIds: number[],
  options: ExportOptions = {},
): Promise<Blob> {
  throwIfInvalid([...errorsOfFormat(format), ...errorsOfRunIds(runIds)]);
  requireFields(options, Object.keys(optionsOfFormat[format]));
  throwIfInvalid(errorsOfOptions(format, options));
  await ensureRuns({ run_ids: runIds });
  const missing = runIds.filter((id) => !view.run(id));
  if (missing.length > 0) {
    throw new GembaError({ code: 'run_not_found', detail: missingRunsText(missing) });
  }
  const runs = runIds.flatMap((id) => view.run(id) ?? []).toSorted(byArrival);
  requireFewSteps(format, runs);
  const exported = runs.map((run): ExportedRun => ({ run, mapName: view.map(run.map_id)?.name ?? '' }));
  const source = async function* () {
    let steps = 0;
    for (const one of exported) {
      yield one;
      steps += one.run.step_count;
      if (steps < stepsPerTurn) continue;
      steps = 0;
      await waitForNextTurn();
    }
  };
  return new Blob(await blobPartsOf(exportInPieces(format, source, options)), {
    type: exportFacts[format].contentType,
  });
}

/** Limits how many missing runs an error names, because people read errors and logs store them. */
const missingListedMax = 20;

function missingRunsText(missing: readonly number[]): string {
  const listed = missing.slice(0, missingListedMax).join(', ');
  const more = missing.length - missingListedMax;
  return more > 0 ? `There is no run ${listed}, nor ${more} more.` : `There is no run ${listed}.`;
}

/**
 * Lets the page do other work after this many steps, and after this much text. The export works a few milliseconds
 * between two such turns.
 */
const stepsPerTurn = 200;
const textLengthPerTurn = 128 * 1024;

/** Joins short texts into longer ones, and lets the page do other work after each longer text. */
async function blobPartsOf(pieces: AsyncIterable<string | Uint8Array>): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let [texts, length]: [string[], number] = [[], 0];
  for await (const piece of pieces) {
    if (typeof piece === 'string') texts.push(piece);
    else parts.push(piece as BlobPart);
    length += piece.length;
    if (length < textLengthPerTurn) continue;
    parts.push(texts.join(''));
    [texts, length] = [[], 0];
    await waitForNextTurn();
  }
  return [...parts, texts.join('')];
}

const waitForNextTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

function errorsOfFormat(format: unknown): FieldError[] {
  if (exportFormats.some((known) => known === format)) return [];
  return [{ path: '/format', message: `must be one of ${exportFormats.join(', ')}` }];
}

function errorsOfRunIds(ids: unknown): FieldError[] {
  const areIds =
    Array.isArray(ids) &&
    ids.length > 0 &&
    ids.length <= runsMax &&
    ids.every((id) => Number.isSafeInteger(id) && id > 0 && id <= idMax) &&
    new Set(ids).size === ids.length;
  return areIds ? [] : [{ path: '/run_ids', message: `must be 1 to ${runsMax} distinct ids of runs` }];
}

function errorsOfOptions(format: ExportFormat, options: ExportOptions): FieldError[] {
  return Object.entries<readonly unknown[]>(optionsOfFormat[format]).flatMap(([name, values]) => {
    const value = options[name as keyof ExportOptions];
    return value === undefined || values.includes(value)
      ? []
      : [{ path: `/${name}`, message: `must be ${values.join(' or ')}` }];
  });
}

function requireFewSteps(format: ExportFormat, runs: readonly { step_count: number }[]): void {
  const { stepsMax } = exportFacts[format];
  const steps = runs.reduce((sum, { step_count }) => sum + step_count, 0);
  if (steps <= stepsMax) return;
  throw new GembaError({ code: 'export_too_large', detail: `The runs have more than ${stepsMax} steps.` });
}
