import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import { outboxBody } from '../../generated/row-schemas.ts';
import { randomIds } from '../../core/ids.ts';
import { newDevice } from './device.ts';
import { entriesOf, type OutboxContent } from './content.ts';
import { outboxRowOf } from './parse-entry.ts';
import { writesBetween } from './rewriting.ts';

test('[OUTBOX-30] a change of any field of the device row is written, and no change writes nothing', () => {
  const before: OutboxContent = {
    device: newDevice(randomIds),
    pending: [],
    refused: [],
    receipts: [],
    discarded: [],
    forwarded: [],
  };
  const [device] = outboxBody.anyOf;
  const fields = Object.keys(device!.properties);
  expect(fields).toContain('offered_seq');
  for (const field of fields) {
    const after = { ...before, device: { ...before.device, [field]: 'another' } };
    expect(writesBetween(before, after).rows, field).toHaveLength(1);
    expect(writesBetween(after, before).rows, field).toHaveLength(1);
  }
  expect(writesBetween(before, { ...before, device: { ...before.device } }).rows).toEqual([]);
});

test('[OUTBOX-37] the writes take the rows of one content to those of another, and touch no other row', () => {
  const rowsOf = (content: OutboxContent) =>
    new Map(
      entriesOf(content)
        .map(outboxRowOf)
        .map(({ id, body }) => [id, body]),
    );
  checkProperty(
    fc.property(anyOutboxContent, anyOutboxContent, (before, after) => {
      const { rows, removedIds } = writesBetween(before, { ...after, device: before.device });
      const stored = rowsOf(before);
      for (const id of removedIds) expect(stored.delete(id)).toBe(true);
      for (const { id, body } of rows) {
        expect(stored.get(id)).not.toEqual(body);
        if (body.kind === 'mutation') stored.set(id, body);
      }
      expect(new Map([...stored].toSorted())).toEqual(new Map([...rowsOf(after)].toSorted()));
    }),
  );
});

test('[OUTBOX-30] a copy of the content, however deep, is no change', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      expect(writesBetween(content, structuredClone(content))).toEqual({ rows: [], removedIds: [] });
    }),
  );
});
