/**
 * A page of a list. Most lists go in descending order of positions: a map's `created_version`, a run's number or a
 * credential's UUID. A list of records by their ids (`pageByIdsOf`) goes in ascending order of the ids.
 */
export interface Page<Row, Position = number> {
  rows: Row[];
  /** The position of this page's last row, after which the next page begins. null on the last page. */
  next: Position | null;
}

/** Makes a page from up to `limit + 1` rows. The extra row only shows that there is a next page. */
export function pageOf<Found, Row, Position>(
  found: Found[],
  limit: number,
  { position, row }: { position: (one: Found) => Position; row: (one: Found) => Row },
): Page<Row, Position> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(row), next: found.length > limit && last ? position(last) : null };
}

/** Makes a page of rows in ascending order of ids. Each row also has the last id of the whole list. */
export function pageByIdsOf<Id, Found extends { id: Id; last_id: Id }, Row>(
  found: Found[],
  row: (one: Found) => Row,
): Page<Row, Id> {
  const last = found.at(-1);
  return { rows: found.map(row), next: last && last.id !== last.last_id ? last.id : null };
}
