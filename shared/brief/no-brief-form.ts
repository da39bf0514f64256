/** Thrown for a push that has no brief form, and for a text that is no valid brief form. */
export class NoBriefFormError extends Error {
  override name = 'NoBriefFormError';
}

/** Returns the result of `make`, or undefined if it throws `NoBriefFormError`. */
export function briefOrUndefined<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoBriefFormError) return undefined;
    throw error;
  }
}
