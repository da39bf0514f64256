/** Compares runs on the device. Loaded on first use, since the app starts without comparisons. */
import { compareRuns as compare, ratingErrors } from '../shared/domain/study/compare.ts';
import type { Comparison } from '../shared/schema/run.ts';
import type { StudyRequest } from '../shared/schema/study.ts';
import { GembaError } from './core/errors.ts';
import { requireObject, requireValid, throwIfInvalid } from './core/validate.ts';
import { compare as validator, lists } from './generated/compare-validator.js';
import type { View } from './view/view.ts';

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
