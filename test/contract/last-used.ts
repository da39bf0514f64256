/** The server notes the time at which a token or key was used beside the request, so a test polls for it. */
import { expect } from 'vitest';

export const minute = 60_000;

/** Repeats `ask` until `holds` accepts its value. */
export async function pollUntil<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value!: Value;
  await expect.poll(async () => holds((value = await ask()))).toBe(true);
  return value;
}
