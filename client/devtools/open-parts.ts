/** Makes disclosures, and remembers which are open, since each change of the engine draws them anew. */
import { element, type Child } from './elements.ts';

export class OpenParts {
  readonly #open = new Set<string>();

  part(key: string, summary: Child[], content: () => Child[]): HTMLDetailsElement {
    const made = element('details', {}, element('summary', { 'data-key': key }, ...summary));
    let isFilled = false;
    const fill = () => {
      if (isFilled) return;
      isFilled = true;
      made.append(...content().filter((child): child is Node | string => child !== null && child !== false));
    };
    if (this.#open.has(key)) {
      made.open = true;
      fill();
    }
    made.addEventListener('toggle', () => {
      if (made.open) {
        this.#open.add(key);
        fill();
      } else this.#open.delete(key);
    });
    return made;
  }
}

/** Replaces the content of an element, and keeps the focus on the summary that had it. */
export function replaceContent(place: HTMLElement, content: Child[]): void {
  const root = place.getRootNode() as Document | ShadowRoot;
  const focused = place.contains(root.activeElement) ? root.activeElement : null;
  const key = focused?.getAttribute('data-key');
  place.replaceChildren(...content.filter((child): child is Node | string => child !== null && child !== false));
  if (key) place.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
