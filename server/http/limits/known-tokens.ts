/**
 * Tokens that this process found good of late. Their requests count for them alone, so that strangers behind the same
 * address slow nobody; any other token may be made up, and its requests count against the address.
 */
import type { World } from '../../core/world.ts';

export interface KnownTokens {
  has(tokenHash: string): boolean;
  add(tokenHash: string): void;
  /** A lookup found it revoked or unknown. */
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
      // The map keeps its entries in the order of their addition: the oldest makes room.
      addedAt.delete(tokenHash);
      const [oldest] = addedAt.keys();
      if (oldest !== undefined && addedAt.size >= tokensMax) addedAt.delete(oldest);
      addedAt.set(tokenHash, world.now());
    },
    delete: (tokenHash) => void addedAt.delete(tokenHash),
  };
}
