/** Pokes the listeners in this process after each commit. A poke says that an account changed. */
import type { Poke } from './store.ts';
import type { TransactionWrites } from './transaction.ts';

interface PokeEmitter {
  send(poke: Poke): void;
  onCommit(listener: (poke: Poke) => void): () => void;
}

export function createPokeEmitter(): PokeEmitter {
  const listeners = new Set<(poke: Poke) => void>();
  return {
    send(poke) {
      // Each listener runs in a microtask of its own, so an exception in a listener cannot fail the commit.
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

/** Merges two pokes of the same account into one. */
export function mergePokes(poke: Poke, earlier: Poke | undefined): Poke {
  const { accountId, version } = poke;
  const revoked = poke.revoked || earlier?.revoked;
  // The delay of a poke is measured from the poke's commit, so the merged poke has the time of the earlier commit.
  const committedAtMs = earlier?.committedAtMs ?? poke.committedAtMs;
  return {
    accountId,
    version: Math.max(version, earlier?.version ?? 0),
    ...(revoked ? { revoked } : {}),
    ...(committedAtMs === undefined ? {} : { committedAtMs }),
  };
}
