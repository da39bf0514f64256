/** Throws if the condition is false. Only a bug, never a mistake of a user, can make it false. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
