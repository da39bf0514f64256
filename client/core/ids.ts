import { v4, v7 } from 'uuid';
import { clientIdMin } from '../../shared/schema/limits.ts';

/** Ids that a device gives to new records; they are final. */
export interface Ids {
  uuid(): string;
  /** Makes a time-ordered id for a map. */
  mapId(): string;
  /** Makes an id for a stage or a run: random, from 2^31 to 2^53-1. */
  integer(): number;
}

export const randomIds: Ids = {
  uuid: () => v4(),
  mapId: () => v7(),
  integer: () => {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    const number = (high % 2 ** 21) * 2 ** 32 + low;
    // One in four million random numbers of 53 bits is below, in the server's range.
    return number >= clientIdMin ? number : randomIds.integer();
  },
};
