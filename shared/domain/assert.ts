/** Throws if the condition is false. Only a bug, never a user's mistake, can make such a condition false. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
