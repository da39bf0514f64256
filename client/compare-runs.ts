/** Compares, exports and imports runs and draws maps on the device. Loaded on first use, since the app starts without these. */
import { compareRuns as compare, ratingErrors } from '../shared/domain/study/compare.ts';
import type { Comparison } from '../shared/schema/run.ts';
import type { ImportReport } from '../shared/schema/integration/import-report.ts';
import type { StudyRequest } from '../shared/schema/study.ts';
import { GembaError } from './core/errors.ts';
import { requireObject, requireValid, throwIfInvalid } from './core/validate.ts';
import { compare as validator, lists } from './generated/compare-validator.js';
import type { DrawingVerbs } from './draw-value-stream.ts';
import type { exportRuns as exportThem } from './export-runs.ts';
import type { importSteps as importThem } from './import-steps.ts';
import type { View } from './view/view.ts';

/** Loads the formats, which a comparison does without. Loading them here adds no file to those that the start lists. */
export const exportRuns = async (...args: Parameters<typeof exportThem>): Promise<Blob> =>
  (await import('./export-runs.ts')).exportRuns(...args);

export const valueStreamSvg = async (
  { view }: Pick<CompareOptions, 'view'>,
  ...args: Parameters<DrawingVerbs['valueStreamSvg']>
): Promise<Blob> => (await import('./draw-value-stream.ts')).drawValueStream(view, ...args);

export const importSteps = async (...args: Parameters<typeof importThem>): Promise<ImportReport> =>
  (await import('./import-steps.ts')).importSteps(...args);

interface CompareOptions {
  view: Pick<View, 'run' | 'map'>;
  /** Loads the runs that a device with a scope does not hold. */
  ensureRuns: (args: object) => Promise<void> | undefined;
}

export async function compareRuns(
  { view, ensureRuns }: CompareOptions,
  runIds: number[],
  study: StudyRequest = {},
): Promise<Comparison> {
  requireObject(study);
  const request = { ...study, run_ids: runIds };
  requireValid(validator, request, lists.compare);
  throwIfInvalid(ratingErrors(request));
  await ensureRuns(request);
  const missing = runIds.filter((id) => !view.run(id));
  if (missing.length > 0) {
    throw new GembaError({ code: 'run_not_found', detail: `There is no run ${missing.join(', ')}.` });
  }
  return compare(
    runIds.flatMap((id) => view.run(id) ?? []),
    { request: study, stagesOf: (mapId) => view.map(mapId)?.stages ?? [] },
  );
}
