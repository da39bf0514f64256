/** Computes the row writes that turn one content of the outbox into another. Pure. */
import { isObject } from '../../core/json-object.ts';
import type { OutboxBody, Row } from '../../storage/rows.ts';
import { entriesOf, type OutboxContent } from './content.ts';
import { deviceRow } from './device.ts';
import { rowIdOf, outboxRowOf } from './parse-entry.ts';

interface OutboxWrites {
  rows: Row<OutboxBody>[];
  removedIds: string[];
}

export function writesBetween(before: OutboxContent, after: OutboxContent): OutboxWrites {
  const entriesBefore = new Map(entriesOf(before).map((entry) => [rowIdOf(entry), entry]));
  const entries = entriesOf(after);
  const idsAfter = new Set(entries.map(rowIdOf));
  const changed = entries.filter((entry) => !isEqualJson(entriesBefore.get(rowIdOf(entry)), entry));
  return {
    rows: [...(isEqualJson(before.device, after.device) ? [] : [deviceRow(after.device)]), ...changed.map(outboxRowOf)],
    removedIds: [...entriesBefore.keys()].filter((id) => !idsAfter.has(id)),
  };
}

/** An unchanged entry is the same object in both contents, so most comparisons end at once. */
function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isEqualJson(a[key], b[key]));
}
