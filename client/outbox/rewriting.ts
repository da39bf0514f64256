/** What to write where the outbox is to hold something else than it does. Pure. */
import type { DeviceBody, MutationBody, OutboxBody, Row } from '../store/rows.ts';
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

function sameDevice(a: DeviceBody, b: DeviceBody): boolean {
  const isSame = (field: 'client_id' | 'last_seq' | 'epoch' | 'account_id') => a[field] === b[field];
  return isSame('client_id') && isSame('last_seq') && isSame('epoch') && isSame('account_id');
}
