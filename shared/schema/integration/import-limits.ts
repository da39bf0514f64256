/** The limits of imports. They are a file of their own, since the start of the app does not need them. */

/** The limits of one imported file. */
export const importBytesMax = 8 * 1024 * 1024;
export const stepsPerImportMax = 20_000;
export const recordingsPerImportMax = 5_000;
/** How many errors a report lists. It counts all of them. */
export const importErrorsMax = 200;
