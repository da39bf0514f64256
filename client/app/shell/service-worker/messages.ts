/**
 * The messages between pages and the service worker. A page and the worker may be of different builds. The meaning of a
 * message therefore never changes: a new meaning needs a new message.
 */

/**
 * A page sends `take-over` to make the waiting worker active. It sends `claim` to make the active worker serve this
 * page, too. It sends its own version so that the worker compares this version with the worker's version.
 */
export type MessageToWorker = 'take-over' | 'claim' | { version: string };

/** The worker sends `outdated` to a page of another version, and `sync` to all pages, which then sync. */
export type MessageToPage = 'outdated' | 'sync';
