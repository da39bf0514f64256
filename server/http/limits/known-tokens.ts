/**
 * Remembers the tokens that this process recently found valid. A request with a remembered token uses the quota of the
 * token, so other callers from the same IP address cannot use up this quota. Any other request uses the quota of its
 * address, since its token may be invented.
 */
import type { World } from '../../core/world.ts';

export interface KnownTokens {
  has(tokenHash: string): boolean;
  add(tokenHash: string): void;
  delete(tokenHash: string): void;
}

const knownTokensMax = 10_000;
const knownTokenAgeMsMax = 10 * 60_000;

export function createKnownTokens(world: World): KnownTokens {
  const addedAtByToken = new Map<string, number>();
  return {
    has(tokenHash) {
      const at = addedAtByToken.get(tokenHash);
      return at !== undefined && Math.abs(world.now() - at) < knownTokenAgeMsMax;
    },
    add(tokenHash) {
      // A `Map` keeps the order of insertion, so its first key is the oldest token.
      addedAtByToken.delete(tokenHash);
      const [oldest] = addedAtByToken.keys();
      if (oldest !== undefined && addedAtByToken.size >= knownTokensMax) addedAtByToken.delete(oldest);
      addedAtByToken.set(tokenHash, world.now());
    },
    delete: (tokenHash) => void addedAtByToken.delete(tokenHash),
  };
}
