/** Prints one pane. The browser's own print command prints the main pane. */

const untilPainted = (): Promise<void> =>
  new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted())));

/**
 * Opens the folded details before each print, so that the paper shows all figures, and folds them again after the
 * print. Returns a function that removes the listeners for prints.
 */
export function startOpeningDetailsForPrint(): () => void {
  const opened: HTMLDetailsElement[] = [];
  const open = () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-pane] .study-details:not([open])')) {
      details.open = true;
      opened.push(details);
    }
  };
  const close = () => {
    for (const details of opened.splice(0)) details.open = false;
    for (const pane of document.querySelectorAll<HTMLElement>('[data-printed]')) delete pane.dataset['printed'];
  };
  addEventListener('beforeprint', open);
  addEventListener('afterprint', close);
  return () => {
    removeEventListener('beforeprint', open);
    removeEventListener('afterprint', close);
  };
}

/** Prints the pane. The desk's styles print only the pane with `data-printed`, or the main pane if no pane has it. */
export async function printPane(pane: HTMLElement | null): Promise<void> {
  if (pane) pane.dataset['printed'] = '';
  await untilPainted();
  print();
}
