/** Stores the value that a view showed last, so that the next start can show the value before the database is open. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

/**
 * The most UTF-16 code units of a stored text. A longer text would take longer to parse than the engine takes to open.
 */
const textLengthMax = 100_000;
/** Writes a value if no newer value follows within this time. */
const writeDelayMs = 1_000;

interface StoredValue<Value> {
  version: string | undefined;
  value: Value;
}

export function createLastShownStore<Value>(key: string) {
  // The version is stored with each value, since another version of the app may give the value another shape.
  const { version } = document.documentElement.dataset;
  let timer: ReturnType<typeof setTimeout>;
  let unwritten: StoredValue<Value> | undefined;
  const write = () => {
    if (!unwritten) return;
    const text = JSON.stringify(unwritten);
    unwritten = undefined;
    const isStored = text.length <= textLengthMax && writePageStorage('localStorage', key, text);
    // The newest value could not be stored, so the older stored value is removed.
    if (!isStored) writePageStorage('localStorage', key, 'null');
  };
  // Write when the page is hidden, since the browser may close a hidden page.
  document.addEventListener('visibilitychange', write);
  return {
    read: (): Value | null => {
      try {
        const stored: StoredValue<Value> | null = JSON.parse(readPageStorage('localStorage', key) ?? 'null');
        return stored?.version === version ? (stored?.value ?? null) : null;
      } catch {
        return null;
      }
    },
    /** Stores the value after a delay. Returns the value at once. */
    store: <Given extends Value | undefined>(value: Given): Given => {
      if (value === undefined) return value;
      unwritten = { version, value };
      clearTimeout(timer);
      timer = setTimeout(write, writeDelayMs);
      return value;
    },
  };
}
