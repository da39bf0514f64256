/** Who in this process wants to hear of commits. */
import type { Poke } from './store.ts';

export interface Pokes {
  tell(poke: Poke): void;
  onCommit(listener: (poke: Poke) => void): () => void;
}

export function createPokes(): Pokes {
  const listeners = new Set<(poke: Poke) => void>();
  return {
    tell(poke) {
      // A tick later: a listener that throws is a bug of its own and must not look like a failed commit.
      for (const listener of listeners) queueMicrotask(() => listener(poke));
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
