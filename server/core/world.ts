/** The sources of time and randomness. The composition root passes them in, so that tests control both. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { v4, v7 } from 'uuid';

export interface World {
  /** Returns milliseconds since 1970, UTC. */
  now(): number;
  randomBytes(count: number): Uint8Array;
}

const uuidBytes = 16;
/**
 * The size of a pool of random bytes, enough for 256 ids. The operating system fills the pool with one call, since each
 * request needs an id.
 */
const poolBytes = 4096;

/** The real clock and randomness, for the composition roots. */
export const systemWorld: World = { now: Date.now, randomBytes: pooledRandomBytes() };

function pooledRandomBytes(): World['randomBytes'] {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  return (count) => {
    if (count > uuidBytes) return randomBytes(count);
    if (used + count > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    used += count;
    return pool.slice(used - count, used);
  };
}

export function isoNow(world: World): string {
  return new Date(world.now()).toISOString();
}

/** Makes a UUID of version 7 (RFC 9562, 5.7). Such ids sort by time, so an index keeps new rows side by side. */
export function timeOrderedUuid(world: World): string {
  return v7({ msecs: world.now(), random: world.randomBytes(uuidBytes) });
}

export function randomUuid(world: World): string {
  return v4({ random: world.randomBytes(uuidBytes) });
}

/** Returns a random number at least 0 and below 1, a multiple of 1/256. */
export function randomFraction(world: World): number {
  const [byte = 0] = world.randomBytes(1);
  return byte / 256;
}
