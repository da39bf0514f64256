/** Whether several tabs can share the device's database. Only browsers with BroadcastChannel connect their tabs. */
export const supportsTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';

/** Connects the engines that share one database, as a browser connects the tabs of a page. */
export interface TabPlatform {
  /** The lock manager of one tab, by which the tabs exclude each other. */
  locks: TabLockManager;
  /** Opens a channel whose messages reach the channels of this name in the other tabs. */
  channel(name: string): TabPort;
}

export type TabLockManager = Pick<LockManager, 'request' | 'query'>;
export type TabPort = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>;
