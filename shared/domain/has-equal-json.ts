/** Compares two values by their JSON texts, so callers must pass objects whose fields have the same order. */
export const hasEqualJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
