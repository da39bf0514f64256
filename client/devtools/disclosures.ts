/** Makes disclosures, and remembers which are open, since each change of the engine draws them anew. */
import { element, isShown, type Child } from './elements.ts';

export class Disclosures {
  readonly #open = new Set<string>();

  /** The content is drawn when the disclosure opens. */
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
