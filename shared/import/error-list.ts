/** Collects errors: all are counted, and those of the first lines are kept. */
import type { ImportErrorParams } from '../schema/integration/import-problems.ts';
import type { ImportError } from '../schema/integration/import-report.ts';
import { importErrorsMax } from '../schema/integration/import-limits.ts';
import { errorMessages, type MessageCode, type SchemaErrorCode } from './error-messages.ts';

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

export class ErrorList {
  total = 0;
  #kept: ImportError[] = [];

  add({ line, column }: LinePlace, { code, params }: ErrorKind): void {
    const messageOf: (values: never) => string = errorMessages[code];
    this.#keep({ line, column, code, params: params ?? {}, message: messageOf(params as never) });
  }

  addInvalid({ line, column }: LinePlace, { code, params }: SchemaErrorKind, message: string): void {
    this.#keep({ line, column, code, params: params ?? {}, message });
  }

  #keep(error: ImportError): void {
    this.total += 1;
    // Errors of whole recordings come after those of all lines, so the list is cut in the order of the lines.
    if (this.#kept.push(error) > 2 * importErrorsMax) this.#kept = this.first();
  }

  /** Returns the errors of the first lines, in the order of the lines. */
  first(): ImportError[] {
    return this.#kept.toSorted((a, b) => a.line - b.line).slice(0, importErrorsMax);
  }
}
