/**
 * Stores when each token was last used, at most once a minute for each token. Requests do not wait for the write, and
 * a failed write is ignored.
 */
import type { TokenRow } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../core/world.ts';

export interface TokenUseRecorder {
  record(token: TokenRow): void;
}

const writeIntervalMs = 60_000;
/**
 * Limits the cache of recent writes. A full cache is emptied, which costs at most one more write for each token.
 */
const tokensCachedMax = 50_000;

export function createTokenUseRecorder({ store, world }: { store: Store; world: World }): TokenUseRecorder {
  const writtenAt = new Map<string, number>();
  return {
    record({ account_id: accountId, token_hash: tokenHash, last_used_at }) {
      const now = world.now();
      const known = writtenAt.get(tokenHash) ?? (last_used_at === null ? undefined : Date.parse(last_used_at));
      if (known !== undefined && now - known < writeIntervalMs) return;
      if (writtenAt.size >= tokensCachedMax) writtenAt.clear();
      writtenAt.set(tokenHash, now);
      store.markTokenUsed({ accountId, tokenHash }, new Date(now).toISOString()).catch(() => {});
    },
  };
}
