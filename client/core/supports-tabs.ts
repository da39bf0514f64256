/** Whether several tabs can share this device: only in a browser, where a BroadcastChannel connects them. */
export const supportsTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
