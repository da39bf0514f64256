/** Stores when tokens were last used, with a precision of a minute. Requests do not wait for it, and failures are ignored. */
import type { TokenRow } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../core/world.ts';

export interface TokenUseRecorder {
  record(token: TokenRow): void;
}

const markIntervalMs = 60_000;
/** Limits the tokens whose last mark this process remembers. */
const tokensCachedMax = 50_000;

export function createTokenUseRecorder({ store, world }: { store: Store; world: World }): TokenUseRecorder {
  const markedAt = new Map<string, number>();
  return {
    record({ account_id: accountId, token_hash: tokenHash, last_used_at }) {
      const now = world.now();
      const known = markedAt.get(tokenHash) ?? (last_used_at === null ? undefined : Date.parse(last_used_at));
      if (known !== undefined && now - known < markIntervalMs) return;
      if (markedAt.size >= tokensCachedMax) markedAt.clear();
      markedAt.set(tokenHash, now);
      store.markTokenUsed({ accountId, tokenHash }, new Date(now).toISOString()).catch(() => {});
    },
  };
}
