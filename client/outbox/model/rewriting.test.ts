import { expect, test } from 'vitest';
import { outboxBody } from '../../generated/row-schemas.ts';
import { randomIds } from '../../core/ids.ts';
import { newDevice } from './bodies.ts';
import type { OutboxContent } from './content.ts';
import { rewriting } from './rewriting.ts';

test('[OUTBOX-30] a change of any field of the device row is written, and no change writes nothing', () => {
  const before: OutboxContent = {
    device: newDevice(randomIds),
    pending: [],
    refused: [],
    receipts: [],
    discarded: [],
    carried: [],
  };
  const [device] = outboxBody.anyOf;
  const fields = Object.keys(device!.properties);
  expect(fields).toContain('offered_seq');
  for (const field of fields) {
    const after = { ...before, device: { ...before.device, [field]: 'another' } };
    expect(rewriting(before, after).rows, field).toHaveLength(1);
    expect(rewriting(after, before).rows, field).toHaveLength(1);
  }
  expect(rewriting(before, { ...before, device: { ...before.device } }).rows).toEqual([]);
});
