import type { Row } from '../rows.ts';

/** The journal of one table. None of its promises rejects. */
export interface TableJournal<Body> {
  /** Resolves to true if the journal has stored the rows. */
  write(rows: Row<Body>[], removedIds: string[]): Promise<boolean>;
  /** Called before each database write. The write waits for the promise; undefined lets the write begin at once. */
  beforeWrite(): Promise<void> | undefined;
  /** Called with rows that the database did not write and the journal may have stored. */
  onWriteFailed(rows: Row<Body>[]): Promise<void>;
}
