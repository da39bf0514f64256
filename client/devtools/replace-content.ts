/** Replaces the content of an element. */
import { isShown, type Child } from './elements.ts';

/**
 * Replaces the children of `place`. If an old and a new element have the same `data-key`, the new one takes over the
 * focus and the scroll position.
 */
export function replaceContent(place: HTMLElement, content: Child[]): void {
  const root = place.getRootNode() as Document | ShadowRoot;
  const focusedKey = place.contains(root.activeElement) ? root.activeElement?.getAttribute('data-key') : null;
  const scrolled = keyedElements(place).filter(({ scrollTop }) => scrollTop > 0);
  const scrollTops = new Map(scrolled.map((one) => [one.dataset['key'], one.scrollTop]));
  place.replaceChildren(...content.filter(isShown));
  for (const one of keyedElements(place)) {
    const key = one.dataset['key'];
    const scrollTop = scrollTops.get(key);
    if (scrollTop !== undefined) one.scrollTop = scrollTop;
    if (key === focusedKey) one.focus({ preventScroll: true });
  }
}

const keyedElements = (place: HTMLElement): HTMLElement[] => [...place.querySelectorAll<HTMLElement>('[data-key]')];
