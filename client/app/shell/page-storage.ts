/** Reads and writes localStorage and sessionStorage. If the browser refuses, the app works without them. */
type StorageArea = 'localStorage' | 'sessionStorage';

/** Returns null if the key is missing or the browser refuses. */
export function readPageStorage(area: StorageArea, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the value was stored. */
export function writePageStorage(area: StorageArea, key: string, value: string): boolean {
  try {
    window[area].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** A browser that blocks all storage throws on the first access. */
export function isStorageBlocked(): boolean {
  try {
    return !window.localStorage;
  } catch {
    return true;
  }
}
