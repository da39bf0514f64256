/** Compares JSON texts. The objects that callers compare have their fields in one order, so equal values have equal texts. */
export const hasEqualJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
