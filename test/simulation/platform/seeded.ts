/** Ids and bytes that follow from a seed, for the composition roots of device and server. */
import { v4, v7 } from 'uuid';
import type { IdGenerator } from '../../../client/client.ts';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import { randomBelow, type Random } from '../../random.ts';

const uuidBytes = 16;

export const bytesFrom =
  (random: Random) =>
  (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => randomBelow(random, 256));

export function idsFrom(random: Random, now: () => number): IdGenerator {
  const bytes = bytesFrom(random);
  const integer = () => deviceMadeIdMin + Math.floor(random() * 2 ** 50);
  return {
    uuid: () => v4({ random: bytes(uuidBytes) }),
    mapId: () => v7({ msecs: now(), random: bytes(uuidBytes) }),
    integer,
    integers: (count) => {
      const first = integer();
      return Array.from({ length: count }, (_, index) => first + index);
    },
  };
}
