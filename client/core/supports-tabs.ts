/** Whether several tabs can share the device's database. Only browsers with BroadcastChannel connect their tabs. */
export const supportsTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';

/** Connects the engines that share one database, as a browser connects the tabs of a page. */
export interface TabPlatform {
  /** The lock manager of one tab, by which the tabs exclude each other. */
  locks: TabLockManager;
  /** Opens a channel whose messages reach the channels of this name in the other tabs. */
  channel(name: string): TabPort;
}

/** The part of the browser's `LockManager` that tabs need, for platforms whose types lack it. */
export interface TabLockManager {
  request(name: string, work: () => unknown): Promise<unknown>;
  request(name: string, options: TabLockOptions, work: (lock: object | null) => unknown): Promise<unknown>;
  query(): Promise<{ held?: { name?: string; clientId?: string }[]; pending?: { name?: string; clientId?: string }[] }>;
}

interface TabLockOptions {
  signal?: AbortSignal;
  steal?: boolean;
  ifAvailable?: boolean;
}

/** The part of the browser's `BroadcastChannel` that tabs need. */
export interface TabPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
}
