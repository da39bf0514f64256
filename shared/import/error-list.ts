/** Collects errors: all are counted, and those of the first lines are kept. */
import type { ImportError } from '../schema/integration/import-report.ts';
import { importErrorsMax } from '../schema/integration/import-limits.ts';

export class ErrorList {
  total = 0;
  #kept: ImportError[] = [];

  add(error: ImportError): void {
    this.total += 1;
    // Errors of whole recordings come after those of all lines, so the list is cut in the order of the lines.
    if (this.#kept.push(error) > 2 * importErrorsMax) this.#kept = this.first();
  }

  /** Returns the errors of the first lines, in the order of the lines. */
  first(): ImportError[] {
    return this.#kept.toSorted((a, b) => a.line - b.line).slice(0, importErrorsMax);
  }
}
