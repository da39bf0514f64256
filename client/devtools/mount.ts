/** Mounts the panel in a page. The code, styles and texts of the panel load when it is mounted. */
import type { Inspector } from '../inspect/inspector.ts';
import type { BundleOptions } from '../inspect/support/support-bundle.ts';

export interface DevtoolsOptions {
  /** Default: English. */
  language?: 'en' | 'de';
  /** Returns settings of the app to include in the support bundle. */
  settings?: () => NonNullable<BundleOptions['settings']>;
}

const notLoadedTexts = {
  en: 'This part could not be loaded. Try again with a network.',
  de: 'Dieser Teil konnte nicht geladen werden. Bitte mit Netz noch einmal versuchen.',
};

/**
 * Appends the panel to the element, in a page with any framework, and begins to trace the sync. Returns a function that
 * removes the panel; the trace continues. The panel has a shadow root with its own styles, which need no
 * `unsafe-inline` in a content security policy. It is light, or dark if the element's `color-scheme` is dark.
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
