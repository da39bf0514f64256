/**
 * The messages between the pages and the service worker. A page and a worker of different builds understand each other,
 * so a message keeps its form for ever, and a new one gets a form of its own.
 */

/** `take-over` asks a waiting worker to become the active one; an object says the version of the page. */
export type PageMessage = 'take-over' | { version: string };

/** `outdated` answers a page of another version; `sync` asks each page to sync. */
export type WorkerMessage = 'outdated' | 'sync';
