import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../test/device/devices.ts';
import { openDeviceTables } from '../storage/device-tables.ts';
import { forwardedMarkRows } from './forwarded-answer-mark.ts';
import { openHandOverTable } from './hand-over-table.ts';
import type { SealedMessage } from './sealed-messages.ts';

const clock = { schedule: () => () => {}, wallMs: () => 0 };

test('[RELAY-125] the answer to an earlier hand-over does not take the place of a later mark', async () => {
  const tables = await openDeviceTables({ name: `watch-${crypto.randomUUID()}`, storage: memoryStorage(), clock });
  onTestFinished(() => tables.close());
  const table = await openHandOverTable(tables, clock.schedule);
  const markOf = (hand_over: number, date: string) => {
    const message = { hand_over } as SealedMessage;
    return forwardedMarkRows(table, message, date).map(({ body }) => body);
  };
  const first = markOf(2, 'Tue, 01 Sep 2026 08:00:00 GMT');
  expect(first).toEqual([{ kind: 'answered', hand_over: 2, date: 'Tue, 01 Sep 2026 08:00:00 GMT' }]);
  await table.write(forwardedMarkRows(table, { hand_over: 2 } as SealedMessage, 'Tue, 01 Sep 2026 08:00:00 GMT'));
  expect(markOf(1, 'Tue, 01 Sep 2026 09:00:00 GMT')).toEqual([]);
  expect(markOf(2, 'Tue, 01 Sep 2026 09:00:00 GMT')).toHaveLength(1);
  expect(markOf(3, 'Tue, 01 Sep 2026 09:00:00 GMT')).toHaveLength(1);
});
