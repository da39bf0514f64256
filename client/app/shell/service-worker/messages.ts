/**
 * The messages between the pages and the service worker. A page and the worker may be of different builds, so no
 * message ever changes its form; a change needs a new message.
 */

/** `take-over` asks a waiting worker to become the active one; an object tells the version of the page. */
export type PageMessage = 'take-over' | { version: string };

/** `outdated` tells a page that its version is not the worker's; `sync` asks each page to sync. */
export type WorkerMessage = 'outdated' | 'sync';
