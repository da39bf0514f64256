/** A request does not wait until the use of its token is stored, so tests poll for the time of that use. */
import { expect } from 'vitest';

export const minute = 60_000;

/** Repeats `ask` until `holds` accepts its value. */
export async function pollUntil<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value!: Value;
  await expect.poll(async () => holds((value = await ask()))).toBe(true);
  return value;
}
