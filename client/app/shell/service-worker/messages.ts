/**
 * The messages between pages and the service worker. A page and the worker may be of different builds, so a message
 * never changes: a change needs a new message.
 */

/**
 * A page sends `take-over` to make the waiting worker active, `claim` to make the active worker serve this page, too,
 * and its own version to compare it with the worker's.
 */
export type MessageToWorker = 'take-over' | 'claim' | { version: string };

/** The worker sends `outdated` to a page of another version, and `sync` to all pages, which then sync. */
export type MessageToPage = 'outdated' | 'sync';
