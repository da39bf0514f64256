/** When something was used is written beside the request that used it. */
import { expect } from 'vitest';

export const minute = 60_000;

/** Asks until it holds. */
export async function seenWhen<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value!: Value;
  await expect.poll(async () => holds((value = await ask()))).toBe(true);
  return value;
}
