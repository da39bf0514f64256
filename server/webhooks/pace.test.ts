import { expect, test } from 'vitest';
import { restMsAfterDelivery, withChange } from './pace.ts';

const busy = withChange(withChange(undefined, 1_000), 1_004);

test('[HOOK-21] all endpoints of an account that changes within 100 ms again get 40 deliveries a second', () => {
  const rest = (endpoints: number) => restMsAfterDelivery({ now: 1_006, changes: busy, endpoints, eventAgeMs: 0 });
  expect([rest(1), rest(20)]).toEqual([25, 500]);
});

test('[HOOK-21] after one change, after a pause, and for an event that waited a minute, no endpoint rests', () => {
  const input = { now: 1_006, changes: busy, endpoints: 20, eventAgeMs: 0 };
  expect(restMsAfterDelivery({ ...input, changes: withChange(undefined, 1_004) })).toBe(0);
  expect(restMsAfterDelivery({ ...input, changes: undefined })).toBe(0);
  expect(restMsAfterDelivery({ ...input, now: 1_101 })).toBe(0);
  expect([59_999, 60_000].map((eventAgeMs) => restMsAfterDelivery({ ...input, eventAgeMs }))).toEqual([500, 0]);
});
