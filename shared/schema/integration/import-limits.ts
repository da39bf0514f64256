/** The limits of imports. They have their own file, so that the app does not load them at its start. */

/** The limits of one imported file. */
export const importBytesMax = 8 * 1024 * 1024;
export const stepsPerImportMax = 20_000;
export const recordingsPerImportMax = 5_000;
/** How many errors the report of an import lists. The report counts all errors. */
export const importErrorsMax = 200;
