/** Time and chance. They come in at the composition root, so that a test can hold both still. */
import { v4, v7 } from 'uuid';

export interface World {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  randomBytes(count: number): Uint8Array;
}

export function isoNow(world: World): string {
  return new Date(world.now()).toISOString();
}

/** Sorts by the time it was made (RFC 9562, 5.7): neighbours in time are neighbours in the index. */
export function timedUuid(world: World): string {
  return v7({ msecs: world.now(), random: world.randomBytes(16) });
}

export function randomUuid(world: World): string {
  return v4({ random: world.randomBytes(16) });
}
