/** Who in this process wants to hear of commits. */
import type { Poke } from './store.ts';
import type { TransactionWrites } from './transaction.ts';

interface Pokes {
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

export function pokeOf(accountId: string, { account, credentials }: TransactionWrites): Poke {
  const revoked = credentials?.tokens.some((token) => token.revoked_at !== null) ?? false;
  return { accountId, version: account.version, ...(revoked ? { revoked } : {}) };
}

/** Two pokes of one account in one. */
export function laterOf(poke: Poke, other: Poke | undefined): Poke {
  const { accountId, version } = poke;
  const revoked = poke.revoked || other?.revoked;
  return { accountId, version: Math.max(version, other?.version ?? 0), ...(revoked ? { revoked } : {}) };
}
