/**
 * Returns the height of a row in pixels. watch.css divides the shorter side of the screen into 192 units; a row has 56.
 */
export const computeRowHeight = (): number => (Math.min(innerWidth, innerHeight) * 56) / 192;
