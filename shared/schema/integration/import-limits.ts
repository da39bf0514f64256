/** Limits of imports, in a file of their own, since the start of the app needs none of them. */

/** The limits of one imported file. */
export const importBytesMax = 8 * 1024 * 1024;
export const stepsPerImportMax = 20_000;
export const recordingsPerImportMax = 5_000;
/** A report lists this many errors, and counts them all. */
export const importErrorsMax = 200;
