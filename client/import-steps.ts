/** Imports steps from a file on the device, as the server does. Loaded on first use. */
import type { ImportReport } from '../shared/schema/integration/import-report.ts';
import type { ExportVerbs } from './export-runs.ts';
import { GembaError } from './core/errors.ts';

export interface ImportOptions {
  /** True if the report alone is wanted, and nothing is to be stored. Default: false. */
  dryRun?: boolean;
  /** True if the maps that the file names and the device lacks are to be made. Default: false: each is an error. */
  createMaps?: boolean;
}

/** A part of `Gemba`. */
export interface InterchangeVerbs extends ExportVerbs {
  /**
   * Imports the recordings of a `steps.csv`, each once, however often the file is imported. Resolves with the report of
   * `POST /import`. With an error in it (`errors_total`), nothing was stored. Errors: `validation_failed` if `file` is
   * neither a `Blob` nor a text, and `payload_too_large` if it has more than 8 MiB.
   */
  importSteps(file: Blob | string, options?: ImportOptions): Promise<ImportReport>;
}

export async function importSteps(_file: Blob | string, _options: ImportOptions = {}): Promise<ImportReport> {
  throw new GembaError({ code: 'unavailable', detail: 'The import is not there yet.' });
}
