/** The limit of one typed or dictated note. All notes of a step together may have 10,000 characters. */
export const noteLengthMax = 1_000;
