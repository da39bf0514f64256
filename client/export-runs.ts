/** Exports runs on the device, as the same bytes that the server makes. Loaded on first use. */
import { byArrival, type ExportedRun } from '../shared/export/exported-run.ts';
import {
  exportFormats,
  exportPieces,
  factsOfFormat,
  optionsOfFormat,
  type ExportFormat,
  type ExportOptions,
} from '../shared/export/formats.ts';
import type { FieldError } from '../shared/schema/field-errors.ts';
import { idMax } from '../shared/schema/limits.ts';
import { GembaError } from './core/errors.ts';
import { requireFields, throwIfInvalid } from './core/validate.ts';
import type { View } from './view/view.ts';

/** A part of `Gemba`. */
export interface ExportVerbs {
  /**
   * Makes the file of `GET /export/…` with these runs on the device, as the same bytes. Errors: `run_not_found` if the
   * device lacks a run, and `export_too_large`.
   */
  exportRuns(format: ExportFormat, runIds: number[], options?: ExportOptions): Promise<Blob>;
}

interface ExportSources {
  view: Pick<View, 'run' | 'map'>;
  /** Loads the runs that a device with a scope does not hold. */
  ensureRuns: (args: object) => Promise<void> | undefined;
}

/** The ids stand in no address here, as they do in a request to the server, so only the steps of a file bound them. */
const runsMax = 200_000;

export async function exportRuns(
  { view, ensureRuns }: ExportSources,
  format: ExportFormat,
  runIds: number[],
  options: ExportOptions = {},
): Promise<Blob> {
  throwIfInvalid([...formatErrors(format), ...idErrors(runIds)]);
  requireFields(options, Object.keys(optionsOfFormat[format]));
  throwIfInvalid(optionErrors(format, options));
  await ensureRuns({ run_ids: runIds });
  const missing = runIds.filter((id) => !view.run(id));
  if (missing.length > 0) {
    throw new GembaError({ code: 'run_not_found', detail: `There is no run ${missing.join(', ')}.` });
  }
  const runs = runIds.flatMap((id) => view.run(id) ?? []).toSorted(byArrival);
  requireFewSteps(format, runs);
  const exported = runs.map((run): ExportedRun => ({ run, mapName: view.map(run.map_id)?.name ?? '' }));
  const source = async function* () {
    yield* exported;
  };
  const parts: BlobPart[] = [];
  for await (const piece of exportPieces(format, source, options)) parts.push(piece as BlobPart);
  return new Blob(parts, { type: factsOfFormat[format].contentType });
}

function formatErrors(format: unknown): FieldError[] {
  if (exportFormats.some((known) => known === format)) return [];
  return [{ path: '/format', message: `must be one of ${exportFormats.join(', ')}` }];
}

function idErrors(ids: unknown): FieldError[] {
  const areIds =
    Array.isArray(ids) &&
    ids.length > 0 &&
    ids.length <= runsMax &&
    ids.every((id) => Number.isSafeInteger(id) && id > 0 && id <= idMax) &&
    new Set(ids).size === ids.length;
  return areIds ? [] : [{ path: '/run_ids', message: `must be 1 to ${runsMax} distinct ids of runs` }];
}

function optionErrors(format: ExportFormat, options: ExportOptions): FieldError[] {
  return Object.entries<readonly unknown[]>(optionsOfFormat[format]).flatMap(([name, values]) => {
    const value = options[name as keyof ExportOptions];
    return value === undefined || values.includes(value)
      ? []
      : [{ path: `/${name}`, message: `must be ${values.join(' or ')}` }];
  });
}

function requireFewSteps(format: ExportFormat, runs: readonly { step_count: number }[]): void {
  const { stepsMax } = factsOfFormat[format];
  const steps = runs.reduce((sum, { step_count }) => sum + step_count, 0);
  if (steps <= stepsMax) return;
  throw new GembaError({ code: 'export_too_large', detail: `The runs have more than ${stepsMax} steps.` });
}
