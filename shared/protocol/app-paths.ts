/**
 * The paths of the app's screens. For each path, the server and the service worker reply with the HTML page of the
 * phone, the watch or the desk.
 */

/** The first segments of the phone's paths. The list of maps is at `/`. */
const phoneSections = ['pair', 'maps', 'record', 'attention', 'devices', 'sync', 'account', 'carry'];

/** The HTML pages of the app, each with the pattern of the paths that show the page. */
export const appPages: Record<string, string> = {
  '/index.html': `^/(?:(?:${phoneSections.join('|')})(?:/[^.]*)?)?$`,
  '/watch.html': '^/watch(?:/[^.]*)?$',
  '/desk.html': '^/desk(?:/[^.]*)?$',
};

const pagePatterns = Object.entries(appPages).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

/** Returns the HTML page for a path, or undefined if the app has no screen at the path. */
export const appPageOf = (pathname: string): string | undefined =>
  pagePatterns.find(({ pattern }) => pattern.test(pathname))?.page;
