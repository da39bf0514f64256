/** Measures whether a round screen, which shows only the circle inside the square page, cuts off an element. */
import type { Locator } from 'playwright-core';

/**
 * Returns the distance from the middle of the screen to the farthest point of the element, with outline and rounded
 * corners. 1 is the radius of the screen.
 */
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

/** Returns the distance from the middle of the screen to the farthest point of the element's lines of text. */
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
