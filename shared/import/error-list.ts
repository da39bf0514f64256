/** Collects errors and warnings: all are counted, and those of the first lines are kept. */
import type {
  ImportErrorParams,
  ImportWarningCode,
  ImportWarningParams,
} from '../schema/integration/import-problems.ts';
import type { ImportError, ImportWarning } from '../schema/integration/import-report.ts';
import { importErrorsMax } from '../schema/integration/import-limits.ts';
import { errorMessages, warningMessages, type MessageCode, type SchemaErrorCode } from './error-messages.ts';

/** Counts all, and keeps those of the first lines. */
class FirstLines<Found extends { line: number }> {
  total = 0;
  #kept: Found[] = [];

  add(found: Found): void {
    this.total += 1;
    // Errors of whole recordings come after those of all lines, so the list is cut in the order of the lines.
    if (this.#kept.push(found) > 2 * importErrorsMax) this.#kept = this.first();
  }

  first(): Found[] {
    return this.#kept.toSorted((a, b) => a.line - b.line).slice(0, importErrorsMax);
  }
}

/** The place of an error. The column is named as the file names it, and null for a whole line. */
export interface LinePlace {
  line: number;
  column: string | null;
}

/** An error without its place and its message. */
export type ErrorKind = { [Code in MessageCode]: KindOf<Code> }[MessageCode];

/** An error whose message a schema has. */
export type SchemaErrorKind = { [Code in SchemaErrorCode]: KindOf<Code> }[SchemaErrorCode];

type KindOf<Code extends keyof ImportErrorParams> = keyof ImportErrorParams[Code] extends never
  ? { code: Code; params?: undefined }
  : { code: Code; params: ImportErrorParams[Code] };

/** A warning without its place and its message. */
export type WarningKind = {
  [Code in ImportWarningCode]: { code: Code; params: ImportWarningParams[Code] };
}[ImportWarningCode];

export class ErrorList {
  readonly #errors = new FirstLines<ImportError>();
  readonly warnings = new FirstLines<ImportWarning>();

  get total(): number {
    return this.#errors.total;
  }

  add({ line, column }: LinePlace, { code, params }: ErrorKind): void {
    const messageOf: (values: never) => string = errorMessages[code];
    this.#errors.add({ line, column, code, params: params ?? {}, message: messageOf(params as never) });
  }

  addInvalid({ line, column }: LinePlace, { code, params }: SchemaErrorKind, message: string): void {
    this.#errors.add({ line, column, code, params: params ?? {}, message });
  }

  warn(place: { line: number; column: string }, { code, params }: WarningKind): void {
    const messageOf: (values: never) => string = warningMessages[code];
    this.warnings.add({ ...place, code, params, message: messageOf(params as never) });
  }

  /** Returns the errors of the first lines, in the order of the lines. */
  first(): ImportError[] {
    return this.#errors.first();
  }
}
