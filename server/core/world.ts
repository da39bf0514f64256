/** The sources of time and randomness. The composition root passes them in, so that tests control both. */
import { randomBytes } from 'node:crypto';
import { v4, v7 } from 'uuid';

export interface World {
  /** Returns milliseconds since 1970, UTC. */
  now(): number;
  randomBytes(count: number): Uint8Array;
}

/** The real clock and randomness, for the composition roots. */
export const systemWorld: World = { now: Date.now, randomBytes };

export function isoNow(world: World): string {
  return new Date(world.now()).toISOString();
}

/** Makes a UUID of version 7 (RFC 9562, 5.7). Such ids sort by time, so an index keeps new rows side by side. */
export function timeOrderedUuid(world: World): string {
  return v7({ msecs: world.now(), random: world.randomBytes(16) });
}

export function randomUuid(world: World): string {
  return v4({ random: world.randomBytes(16) });
}

/** Returns a random number at least 0 and below 1, a multiple of 1/256. */
export function randomFraction(world: World): number {
  const [byte = 0] = world.randomBytes(1);
  return byte / 256;
}
