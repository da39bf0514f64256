/** Whether several tabs can share the device's database. Only browsers with BroadcastChannel connect their tabs. */
export const supportsTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
