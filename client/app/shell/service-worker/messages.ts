/**
 * The messages between pages and the service worker. A page and the worker may be of different builds, so a message
 * never changes: a change needs a new message.
 */

/**
 * `take-over` asks the waiting worker to become active. `claim` asks the active worker to serve this page, too.
 * `version` is the page's version.
 */
export type PageMessage = 'take-over' | 'claim' | { version: string };

/** `outdated` tells a page that the worker has another version; `sync` asks each page to sync. */
export type WorkerMessage = 'outdated' | 'sync';
