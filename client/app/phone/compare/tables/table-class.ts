/** A table with at least this many rows scrolls under its fixed head. */
const scrolledRowsMin = 10;

/** Returns the CSS classes of a table of figures with this many rows. */
export const tableClass = (rows: number): string =>
  `compare-scroll card${rows >= scrolledRowsMin ? ' compare-tall' : ''}`;
