/** A page of a list in descending order. A position in the list is a version, a number, or a UUID with its time. */
export interface Page<Row, Position = number> {
  rows: Row[];
  /** The next page begins before this position; null on the last page. */
  next: Position | null;
}

/** `found` has up to `limit + 1` rows; the row beyond the limit shows that there is a next page. */
export function page<Found, Row, Position>(
  found: Found[],
  limit: number,
  { position, row }: { position: (one: Found) => Position; row: (one: Found) => Row },
): Page<Row, Position> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(row), next: found.length > limit && last ? position(last) : null };
}
