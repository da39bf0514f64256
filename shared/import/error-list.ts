/** Collects errors and warnings: counts all of them, and keeps only the ones of the first lines. */
import type {
  ImportErrorParams,
  ImportWarningCode,
  ImportWarningParams,
} from '../schema/integration/import-problems.ts';
import type { ImportError, ImportWarning } from '../schema/integration/import-report.ts';
import { importErrorsMax } from '../schema/integration/import-limits.ts';
import { errorMessages, warningMessages, type MessageCode, type SchemaErrorCode } from './error-messages.ts';

/** Counts all errors or all warnings, and keeps the first `importErrorsMax` of them in line order. */
class FindingsOfFirstLines<Found extends { line: number }> {
  total = 0;
  #kept: Found[] = [];

  add(found: Found): void {
    this.total += 1;
    // Sort before cutting, since the errors of whole recordings are added after the errors of all lines.
    if (this.#kept.push(found) > 2 * importErrorsMax) this.#kept = this.first();
  }

  first(): Found[] {
    return this.#kept.toSorted((a, b) => a.line - b.line).slice(0, importErrorsMax);
  }
}

/** The place of an error: a line, and a column by its name in the file; null for the whole line. */
export interface LinePlace {
  line: number;
  column: string | null;
}

/** The code of an error and its values, without place and message. */
export type ImportErrorInfo = { [Code in MessageCode]: InfoOf<Code> }[MessageCode];

/** The code of an error whose message comes from a schema, and its values. */
export type SchemaErrorInfo = { [Code in SchemaErrorCode]: InfoOf<Code> }[SchemaErrorCode];

type InfoOf<Code extends keyof ImportErrorParams> = keyof ImportErrorParams[Code] extends never
  ? { code: Code; params?: undefined }
  : { code: Code; params: ImportErrorParams[Code] };

/** The code of a warning and its values, without place and message. */
export type ImportWarningInfo = {
  [Code in ImportWarningCode]: { code: Code; params: ImportWarningParams[Code] };
}[ImportWarningCode];

export class ErrorList {
  readonly #errors = new FindingsOfFirstLines<ImportError>();
  readonly warnings = new FindingsOfFirstLines<ImportWarning>();

  get total(): number {
    return this.#errors.total;
  }

  add({ line, column }: LinePlace, { code, params }: ImportErrorInfo): void {
    const messageOf: (values: never) => string = errorMessages[code];
    this.#errors.add({ line, column, code, params: params ?? {}, message: messageOf(params as never) });
  }

  addInvalid({ line, column }: LinePlace, { code, params }: SchemaErrorInfo, message: string): void {
    this.#errors.add({ line, column, code, params: params ?? {}, message });
  }

  warn(place: { line: number; column: string }, { code, params }: ImportWarningInfo): void {
    const messageOf: (values: never) => string = warningMessages[code];
    this.warnings.add({ ...place, code, params, message: messageOf(params as never) });
  }

  /** Returns the errors of the first lines, in line order. */
  first(): ImportError[] {
    return this.#errors.first();
  }
}
