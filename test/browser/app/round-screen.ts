/** What a round screen, the circle within the page's square, does not cut. */
import type { Locator } from 'playwright-core';

/** How far it reaches from the middle of the screen, which has a radius of 1, with its outline and round its corners. */
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

/** The same of the text in it, line by line: the farthest. */
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
