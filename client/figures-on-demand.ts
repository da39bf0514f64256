/**
 * Loads the code of comparisons, exports, imports and drawings, each on first use and without the others. The code that
 * the app starts with refers only to this file, since references to the other files would make the start larger.
 */
import type { Comparison } from '../shared/schema/run.ts';
import type { ImportReport } from '../shared/schema/integration/import-report.ts';
import type { compareRuns as compareThem } from './compare-runs.ts';
import type { drawValueStream } from './draw-value-stream.ts';
import type { exportRuns as exportThem } from './export-runs.ts';
import type { importSteps as importThem } from './import-steps.ts';

export const compareRuns = async (...args: Parameters<typeof compareThem>): Promise<Comparison> =>
  (await import('./compare-runs.ts')).compareRuns(...args);

export const exportRuns = async (...args: Parameters<typeof exportThem>): Promise<Blob> =>
  (await import('./export-runs.ts')).exportRuns(...args);

export const importSteps = async (...args: Parameters<typeof importThem>): Promise<ImportReport> =>
  (await import('./import-steps.ts')).importSteps(...args);

export const valueStreamSvg = async (...args: Parameters<typeof drawValueStream>): Promise<Blob> =>
  (await import('./draw-value-stream.ts')).drawValueStream(...args);
