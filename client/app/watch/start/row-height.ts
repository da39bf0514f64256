/** The height of a row as in watch.css: 56 of the 192 units of the screen's shorter side. */
export const rowHeight = (): number => (Math.min(innerWidth, innerHeight) * 56) / 192;
