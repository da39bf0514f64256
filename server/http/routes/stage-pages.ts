/**
 * Divides the stages of a map into pages while people may reorder the stages. A position in the list would shift, so
 * the cursor records which stages the earlier pages have shown. A page has the first stages, in the current order, that
 * no earlier page has shown (docs/decisions/0036).
 *
 * The cursor encodes the set of shown stages with about 4 bits for each stage. A hash divides the stages into small
 * groups. Each group has a seed, found by trial: a second hash with this seed is odd for the shown stages of the group
 * and even for the others. The cursor contains the seeds. A stage that is added later may count as shown and be left
 * out.
 */
import type { Stage } from '../../../shared/schema/stage.ts';

/** In larger groups, there is often no seed under which `isOddHash` is true for exactly the shown stages. */
const stagesPerGroupMean = 4;
const seedBytes = 2;
const seedCount = 2 ** (8 * seedBytes);
const saltCount = 256;

/**
 * The cursor contains `position`, which is undefined for the first page. `next` is the position for the next page, and
 * null on the last page.
 */
export function stagePage(
  stages: Stage[],
  position: string | undefined,
  limit: number,
): { page: Stage[]; next: string | null } {
  const wasShown = position === undefined ? () => false : shownIdFilter(position);
  const unshown = stages.filter(({ id }) => !wasShown(id));
  const page = unshown.slice(0, limit);
  if (unshown.length <= limit) return { page, next: null };
  const unshownIds = new Set(unshown.slice(limit).map(({ id }) => id));
  const ids = stages.map(({ id }) => id);
  return { page, next: encodePosition(ids, (id) => !unshownIds.has(id)) };
}

/**
 * Returns true if the text has the form that `encodePosition` writes: one byte of salt and a seed for each group, as
 * base64url.
 */
export function isStagePosition(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 1 && bytes.length % seedBytes === 1 && bytes.toString('base64url') === text;
}

function encodePosition(ids: number[], isShown: (id: number) => boolean): string {
  for (let salt = 0; salt < saltCount; salt++) {
    const seeds = findSeeds(divideIntoGroups(ids, salt), isShown);
    if (seeds) return Buffer.concat([Buffer.of(salt), seeds]).toString('base64url');
  }
  throw new Error('no salt deals the stages into groups that have seeds');
}

/** Returns a function that tells whether the earlier pages have shown the stage with the given id. */
function shownIdFilter(position: string): (id: number) => boolean {
  const bytes = Buffer.from(position, 'base64url');
  const salt = bytes[0]!;
  const groupCount = (bytes.length - 1) / seedBytes;
  return (id) => isOddHash(id, bytes.readUInt16BE(1 + seedBytes * groupIndexOf(id, salt, groupCount)));
}

function divideIntoGroups(ids: number[], salt: number): number[][] {
  const groups = Array.from({ length: Math.ceil(ids.length / stagesPerGroupMean) }, (): number[] => []);
  for (const id of ids) groups[groupIndexOf(id, salt, groups.length)]!.push(id);
  return groups;
}

/**
 * Finds a seed for each group so that `isOddHash` is true for exactly the shown ids of the group. Returns undefined if
 * a group has no such seed.
 */
function findSeeds(groups: number[][], isShown: (id: number) => boolean): Buffer | undefined {
  const seeds = Buffer.alloc(groups.length * seedBytes);
  for (const [index, group] of groups.entries()) {
    const members = group.map((id) => ({ id, shown: isShown(id) }));
    let seed = 0;
    while (seed < seedCount && members.some(({ id, shown }) => isOddHash(id, seed) !== shown)) seed += 1;
    if (seed === seedCount) return undefined;
    seeds.writeUInt16BE(seed, index * seedBytes);
  }
  return seeds;
}

const isOddHash = (id: number, seed: number): boolean => hash(id, seed) % 2 === 1;
const groupIndexOf = (id: number, salt: number, groupCount: number): number => hash(id, seedCount + salt) % groupCount;

/** Mixes the bits as MurmurHash3 does. `id` has up to 53 bits, and the hash has 32. */
function hash(id: number, seed: number): number {
  let mixed = Math.imul(seed + 1, 0x9e3779b1);
  for (const half of [id >>> 0, Math.floor(id / 2 ** 32)]) {
    mixed ^= half;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}
