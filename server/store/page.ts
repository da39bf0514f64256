/** A page of a list that was asked for one row more than the page holds. */
import type { Page } from './store.ts';

export function page<Row, Doc>(
  found: Row[],
  limit: number,
  { position, doc }: { position: (row: Row) => number; doc: (row: Row) => Doc },
): Page<Doc> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows: rows.map(doc), next: found.length > limit && last ? position(last) : null };
}
