/** Small notes in the page's own storage, which a browser may refuse: the app goes on without them. */
type Place = 'localStorage' | 'sessionStorage';

/** null where there is none, and where the browser lets nobody look. */
export function noted(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Whether it is kept. */
export function note(place: Place, key: string, value: string): boolean {
  try {
    window[place].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Browsers that let a site store nothing refuse even the look at it. */
export function isStorageBlocked(): boolean {
  try {
    return !window.localStorage;
  } catch {
    return true;
  }
}
