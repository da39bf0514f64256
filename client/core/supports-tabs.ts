/** Whether several tabs can share the device's database. They need a BroadcastChannel, which browsers have. */
export const supportsTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';

/** Connects the engines that share one database, as a browser connects its tabs. */
export interface TabPlatform {
  /** The lock manager of one tab. Through it the tabs exclude each other. */
  locks: TabLockManager;
  /** Opens a channel. Its messages reach the channels of the same name in the other tabs. */
  channel(name: string): TabPort;
}

/** The part of the browser's `LockManager` that the engine needs, for platforms whose types lack it. */
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

/** The part of the browser's `BroadcastChannel` that the engine needs. */
export interface TabPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
}
