/** Pages of lists that continue before a position: a version, a number, or a UUID that tells its time. */
export interface Page<Row, Position = number> {
  rows: Row[];
  /** The position to continue `before`; null on the last page. */
  next: Position | null;
}

/** `found` was asked for one row more than the page holds. */
export function page<Found, Row, Position>(
  found: Found[],
  limit: number,
  { position, row }: { position: (one: Found) => Position; row: (one: Found) => Row },
): Page<Row, Position> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(row), next: found.length > limit && last ? position(last) : null };
}
