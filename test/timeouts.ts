/** Only ends a hanging test: beside eight busy processes a test can take twenty times its usual time. */
export const testMsMax = 12 * 60_000;
/** A wait for one event ends before its test does, so that the failure names the event, and CI has time for a second run. */
export const waitMsMax = 3 * 60_000;
