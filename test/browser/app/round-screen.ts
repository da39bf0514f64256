/** Measures whether a round screen, the circle within the square page, cuts an element. */
import type { Locator } from 'playwright-core';

/** The farthest distance of the element from the middle, with outline and rounded corners; the screen's radius is 1. */
export const reachOf = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const { borderTopLeftRadius, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    const around = outlineStyle === 'none' ? 0 : parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const corner = Math.min(parseFloat(borderTopLeftRadius), width / 2, height / 2);
    const [x, y, radius] = [innerWidth / 2, innerHeight / 2, Math.min(innerWidth, innerHeight) / 2];
    const across = Math.max(x - left, right - x) - corner;
    const down = Math.max(y - top, bottom - y) - corner;
    return (Math.hypot(across, down) + corner + around) / radius;
  });

/** The farthest distance of the element's text from the middle, line by line. */
export const reachOfText = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [x, y, radius] = [innerWidth / 2, innerHeight / 2, Math.min(innerWidth, innerHeight) / 2];
    const corners = [...range.getClientRects()].flatMap(({ left, right, top, bottom }) =>
      [left, right].flatMap((across) => [top, bottom].map((down) => Math.hypot(across - x, down - y))),
    );
    return Math.max(...corners) / radius;
  });
