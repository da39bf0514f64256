/** Puts the panel into a page. Its code, its styles and its texts load when it is mounted. */
import type { Inspector } from '../inspect/inspector.ts';
import type { BundleOptions } from '../inspect/support/support-bundle.ts';

export interface DevtoolsOptions {
  /** Default: English. */
  language?: 'en' | 'de';
  /** Returns settings of the app for the file for support. */
  settings?: () => NonNullable<BundleOptions['settings']>;
}

const notLoadedTexts = {
  en: 'This part could not be loaded. Try again with a network.',
  de: 'Dieser Teil konnte nicht geladen werden. Bitte mit Netz noch einmal versuchen.',
};

/**
 * Shows the panel at the end of the element, whatever the framework of the page, and begins to trace the sync. Returns a
 * function that removes the panel; the trace goes on. The panel has a shadow root with styles of its own, which need no
 * `unsafe-inline` in a content security policy. It is light, or dark where the `color-scheme` of the element is.
 */
export function mountDevtools(
  element: Element,
  inspector: Inspector,
  { language = 'en', settings = () => ({}) }: DevtoolsOptions = {},
): () => void {
  const host = document.createElement('div');
  element.append(host);
  let close = () => {};
  let isMounted = true;
  import('./panel.ts')
    .then(async ({ openPanel }) => {
      const panel = await openPanel({ inspector, language, settings });
      if (!isMounted) return panel.close();
      ({ close } = panel);
      host.attachShadow({ mode: 'open' }).append(panel.element);
      host.shadowRoot!.adoptedStyleSheets = [panel.styles];
    })
    .catch(() => {
      host.textContent = notLoadedTexts[language];
      host.setAttribute('role', 'alert');
    });
  return () => {
    isMounted = false;
    close();
    host.remove();
  };
}
