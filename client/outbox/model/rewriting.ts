/** Computes the writes that take the outbox from one content to another. Pure. */
import type { DeviceBody, MutationBody, OutboxBody, Row } from '../../storage/rows.ts';
import { deviceRow, rowOf } from './bodies.ts';
import type { OutboxContent } from './content.ts';

export function rewriting(
  before: OutboxContent,
  after: OutboxContent,
): { rows: Row<OutboxBody>[]; removedIds: string[] } {
  const known = new Map(mutationsOf(before).map((body) => [rowOf(body).id, body]));
  const rows = mutationsOf(after).map(rowOf);
  const kept = new Set(rows.map(({ id }) => id));
  const device = sameDevice(before.device, after.device) ? [] : [deviceRow(after.device)];
  return {
    rows: [...device, ...rows.filter(({ id, body }) => known.get(id) !== body)],
    removedIds: [...known.keys()].filter((id) => !kept.has(id)),
  };
}

const mutationsOf = ({ pending, refused, receipts, discarded, carried }: OutboxContent): MutationBody[] => [
  ...pending,
  ...refused,
  ...receipts,
  ...discarded,
  ...carried,
];

/** A field that `===` cannot compare does not type-check. */
type Scalars = { [Field in keyof DeviceBody]: string | number | boolean | null | undefined };

/** Compares every field, also one that is added later. */
function sameDevice(a: Scalars, b: Scalars): boolean {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Scalars>;
  return [...fields].every((field) => a[field] === b[field]);
}
