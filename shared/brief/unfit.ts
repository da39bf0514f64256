/** Thrown for a push that has no brief form, and for a text that is the brief form of nothing. */
export class NoBriefFormError extends Error {
  override name = 'NoBriefFormError';
}

/** Returns what `make` returns; undefined if the value does not fit. */
export function ifFit<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoBriefFormError) return undefined;
    throw error;
  }
}
