/** A page of a list that was asked for one row more than the page holds. */
import type { AccessPage } from './access.ts';

export function accessPage<Row, Record>(
  found: Row[],
  limit: number,
  { position, record }: { position: (row: Row) => string; record: (row: Row) => Record },
): AccessPage<Record> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows: rows.map(record), next: found.length > limit && last ? position(last) : null };
}
