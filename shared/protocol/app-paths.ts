/** The addresses that are places of the app: the server and the service worker answer them with its one page. */

/** The first words of a path; `/` is the phone's list of maps. */
export const appSections = ['pair', 'watch', 'maps', 'runs', 'compare', 'record', 'attention', 'devices', 'sync'];

export const appPathPattern = `^/(?:(?:${appSections.join('|')})(?:/[^.]*)?)?$`;

const appPath = new RegExp(appPathPattern);

export const isAppPath = (pathname: string): boolean => appPath.test(pathname);
