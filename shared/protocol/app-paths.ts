/**
 * The paths of the app's screens. The server and the service worker reply to each with the HTML page of the phone or of the
 * watch.
 */

/** The first segments of the phone's paths. The list of maps is at `/`. */
const phoneSections = ['pair', 'maps', 'record', 'attention', 'devices', 'sync'];

/** Each HTML page with the pattern of the paths that show it. */
export const appPages: Record<string, string> = {
  '/index.html': `^/(?:(?:${phoneSections.join('|')})(?:/[^.]*)?)?$`,
  '/watch.html': '^/watch(?:/[^.]*)?$',
};

const pages = Object.entries(appPages).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

/** Finds the HTML page of a path; undefined if the app has no screen there. */
export const appPageOf = (pathname: string): string | undefined =>
  pages.find(({ pattern }) => pattern.test(pathname))?.page;
