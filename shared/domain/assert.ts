/** States a truth of the program. Its failure is a bug, never a user's mistake, so it throws. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
