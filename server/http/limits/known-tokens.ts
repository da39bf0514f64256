/**
 * Tokens that this process recently found valid. A request with such a token counts for the token alone, so other
 * callers behind the same IP address cannot slow down its owner. A request with any other token counts for the address,
 * since the token may be invented.
 */
import type { World } from '../../core/world.ts';

export interface KnownTokens {
  has(tokenHash: string): boolean;
  add(tokenHash: string): void;
  /** Called when a lookup finds that the token is revoked or unknown. */
  delete(tokenHash: string): void;
}

const tokensMax = 10_000;
const knownMsMax = 10 * 60_000;

export function createKnownTokens(world: World): KnownTokens {
  const addedAt = new Map<string, number>();
  return {
    has(tokenHash) {
      const at = addedAt.get(tokenHash);
      return at !== undefined && Math.abs(world.now() - at) < knownMsMax;
    },
    add(tokenHash) {
      // A map keeps the order of insertion, so the first key is the oldest and is dropped when the map is full.
      addedAt.delete(tokenHash);
      const [oldest] = addedAt.keys();
      if (oldest !== undefined && addedAt.size >= tokensMax) addedAt.delete(oldest);
      addedAt.set(tokenHash, world.now());
    },
    delete: (tokenHash) => void addedAt.delete(tokenHash),
  };
}
