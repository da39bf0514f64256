import { v4, v7 } from 'uuid';
import { clientIdMin } from '../../shared/schema/limits.ts';

/** Ids that a device makes for what it creates; they are final. */
export interface Ids {
  uuid(): string;
  /** Time-ordered, for maps. */
  mapId(): string;
  /** For stages and runs: random from 2^31 to 2^53-1. */
  integer(): number;
}

export const randomIds: Ids = {
  uuid: () => v4(),
  mapId: () => v7(),
  integer: () => {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number];
    const number = (high % 2 ** 21) * 2 ** 32 + low;
    // Of 53 random bits one in four million is below, in the server's range.
    return number >= clientIdMin ? number : randomIds.integer();
  },
};
