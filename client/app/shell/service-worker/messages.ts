/**
 * The messages between the pages and the service worker. A page and the worker may be of different builds, so the form of
 * a message never changes: a new message gets a new form.
 */

/** `take-over` asks a waiting worker to become the active one; an object says the version of the page. */
export type PageMessage = 'take-over' | { version: string };

/** `outdated` answers a page of another version; `sync` asks each page to sync. */
export type WorkerMessage = 'outdated' | 'sync';
