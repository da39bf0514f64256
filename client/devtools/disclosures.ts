/** Makes disclosures (`<details>`), and remembers which are open, since every change of the engine redraws them. */
import { element, isShown, type Child } from './elements.ts';

export class Disclosures {
  readonly #open = new Set<string>();

  /** Makes a disclosure, whose content is drawn when it first opens. `key` must be unique in the panel. */
  make(key: string, summary: Child[], content: () => Child[]): HTMLDetailsElement {
    const details = element('details', {}, element('summary', { 'data-key': key }, ...summary));
    let isFilled = false;
    const fill = () => {
      if (isFilled) return;
      isFilled = true;
      details.append(...content().filter(isShown));
    };
    if (this.#open.has(key)) {
      details.open = true;
      fill();
    }
    details.addEventListener('toggle', () => {
      if (details.open) {
        this.#open.add(key);
        fill();
      } else this.#open.delete(key);
    });
    return details;
  }
}
