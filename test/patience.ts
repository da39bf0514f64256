/**
 * How long the tests wait for what does not come. It guards against hanging alone: beside eight busy processes a test can
 * take twenty times as long as by itself.
 */

export const testMsMax = 18 * 60_000;
/** For one event within a test: it ends before the test does, and so says what never came. */
export const waitMsMax = 9 * 60_000;
