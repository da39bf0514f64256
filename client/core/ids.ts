import { v4 } from 'uuid';
import { deviceMadeIdMin, idMax } from '../../shared/schema/limits.ts';

/** Makes the ids of new records. The server stores the records under these ids. */
export interface IdGenerator {
  uuid(): string;
  /** Makes a time-ordered UUID, for a map. */
  mapId(): string;
  /** Makes a random id for a stage or a run, from 2^31 to 2^53-1. */
  integer(): number;
  /**
   * Makes ids for the stages of one mutation: a random id and the ids after it. Such ids share index pages on the
   * server, and their common digits compress well.
   */
  integers(count: number): number[];
}

export const randomIds: IdGenerator = {
  uuid: () => v4(),
  mapId: makeTimeOrderedUuid,
  integer: () => {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    const number = (high % 2 ** 21) * 2 ** 32 + low;
    // Draws again if the id is too small, since the server gives out the ids below `deviceMadeIdMin`.
    return number >= deviceMadeIdMin ? number : randomIds.integer();
  },
  integers: (count) => {
    const first = Math.min(randomIds.integer(), idMax - count);
    return Array.from({ length: count }, (_, index) => first + index);
  },
};

/** Makes a UUID of version 7: 48 bits of time in milliseconds, then random bits (RFC 9562, section 5.7). */
function makeTimeOrderedUuid(): string {
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${v4().slice(15)}`;
}

/**
 * Returns the UUID in lower case, since the engine compares UUIDs as text. Leaves a value of another type to the
 * validator.
 */
export const lowerCaseUuid = (uuid: string): string => (typeof uuid === 'string' ? uuid.toLowerCase() : uuid);

export const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
