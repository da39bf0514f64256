/** The addresses that are places of the app: the server and the service worker answer each with the page of its face. */

/** The first words of a path; `/` is the phone's list of maps. */
const phoneSections = ['pair', 'maps', 'runs', 'compare', 'record', 'attention', 'devices', 'sync'];

/** The page at each path that such a pattern fits. */
export const appPages: Record<string, string> = {
  '/index.html': `^/(?:(?:${phoneSections.join('|')})(?:/[^.]*)?)?$`,
  '/watch.html': '^/watch(?:/[^.]*)?$',
};

const pages = Object.entries(appPages).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

/** undefined where no place of the app is. */
export const appPageOf = (pathname: string): string | undefined =>
  pages.find(({ pattern }) => pattern.test(pathname))?.page;
