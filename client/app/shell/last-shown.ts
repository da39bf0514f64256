/** Stores the value that a view showed last, so that the next start shows it before the database is open. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

/** In UTF-16 code units. A longer text is not stored, since parsing it takes longer than opening the engine. */
const textLengthMax = 100_000;
/** A value is written once no newer value has come for this long. */
const writeDelayMs = 1_000;

interface StoredValue<Value> {
  version: string | undefined;
  value: Value;
}

export function lastShownStore<Value>(key: string) {
  // A value that another build stored may have another shape, so the version is stored with it.
  const { version } = document.documentElement.dataset;
  let timer: ReturnType<typeof setTimeout>;
  const write = (value: Value) => {
    const text = JSON.stringify({ version, value } satisfies StoredValue<Value>);
    const isStored = text.length <= textLengthMax && writePageStorage('localStorage', key, text);
    // Removes the stored value, which is older than the value that could not be stored.
    if (!isStored) writePageStorage('localStorage', key, 'null');
  };
  return {
    read: (): Value | null => {
      try {
        const stored: StoredValue<Value> | null = JSON.parse(readPageStorage('localStorage', key) ?? 'null');
        return stored?.version === version ? (stored?.value ?? null) : null;
      } catch {
        return null;
      }
    },
    save: (value: Value | undefined): void => {
      if (value === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => write(value), writeDelayMs);
    },
  };
}
