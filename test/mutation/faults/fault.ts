/** A deliberate fault: one exact text of a source file that is replaced, and the tests that should notice. */
export interface Fault {
  name: string;
  /** The harm to a person or the data. */
  harm: string;
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
  /** The test files to run, as paths or parts of paths. */
  tests: readonly string[];
  /** Runs only the tests whose names match, of files that have many. */
  only?: string;
}
