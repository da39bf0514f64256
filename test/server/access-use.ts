/** When something was used is written beside the request that used it. */
import { expect, vi } from 'vitest';

export const minute = 60_000;

/** Asks until it holds. */
export async function seenWhen<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value!: Value;
  await vi.waitFor(async () => {
    value = await ask();
    expect(holds(value)).toBe(true);
  });
  return value;
}
