/**
 * Pages through the stages of a map while people may reorder them. Positions shift, so the cursor records which stages
 * were shown: each page has the first stages, in their current order, that no earlier page had. docs/decisions/0036 has
 * the reasons.
 *
 * The cursor is an exact filter of about 4 bits for each stage. A hash of the stage's id assigns each stage to a small
 * group. Each group has a seed, found by trial: with that seed, one bit of a second hash is 1 for shown stages and 0 for
 * the others. A stage added after the cursor was made may count as shown and so be left out.
 */
import type { Stage } from '../../../shared/schema/stage.ts';

/** The mean size of a group: nearly every group this small has a seed that fits. */
const groupStagesMean = 4;
const seedBytes = 2;
const seedCount = 2 ** (8 * seedBytes);
const saltCount = 256;

/** Returns the page after `position`, which is undefined for the first page. `next` is null on the last page. */
export function nextStages(
  stages: Stage[],
  position: string | undefined,
  limit: number,
): { page: Stage[]; next: string | null } {
  const wasShown = position === undefined ? () => false : readShown(position);
  const rest = stages.filter(({ id }) => !wasShown(id));
  const page = rest.slice(0, limit);
  if (rest.length <= limit) return { page, next: null };
  const left = new Set(rest.slice(limit).map(({ id }) => id));
  const ids = stages.map(({ id }) => id);
  return { page, next: encodePosition(ids, (id) => !left.has(id)) };
}

/** A position consists of one byte of salt, followed by the seeds of the groups. */
export function isStagePosition(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 1 && bytes.length % seedBytes === 1 && bytes.toString('base64url') === text;
}

function encodePosition(ids: number[], isShown: (id: number) => boolean): string {
  for (let salt = 0; salt < saltCount; salt++) {
    const seeds = findSeeds(groupIds(ids, salt), isShown);
    if (seeds) return Buffer.concat([Buffer.of(salt), seeds]).toString('base64url');
  }
  throw new Error('no salt deals the stages into groups that have seeds');
}

function readShown(position: string): (id: number) => boolean {
  const bytes = Buffer.from(position, 'base64url');
  const salt = bytes[0]!;
  const groupCount = (bytes.length - 1) / seedBytes;
  return (id) => bitOf(id, bytes.readUInt16BE(1 + seedBytes * groupOf(id, salt, groupCount)));
}

function groupIds(ids: number[], salt: number): number[][] {
  const groups = Array.from({ length: Math.ceil(ids.length / groupStagesMean) }, (): number[] => []);
  for (const id of ids) groups[groupOf(id, salt, groups.length)]!.push(id);
  return groups;
}

/** Returns undefined if some group has no seed that fits. Another salt then forms other groups. */
function findSeeds(groups: number[][], isShown: (id: number) => boolean): Buffer | undefined {
  const seeds = Buffer.alloc(groups.length * seedBytes);
  for (const [index, group] of groups.entries()) {
    const wanted = group.map((id) => ({ id, shown: isShown(id) }));
    let seed = 0;
    while (seed < seedCount && wanted.some(({ id, shown }) => bitOf(id, seed) !== shown)) seed += 1;
    if (seed === seedCount) return undefined;
    seeds.writeUInt16BE(seed, index * seedBytes);
  }
  return seeds;
}

const bitOf = (id: number, seed: number): boolean => hash(id, seed) % 2 === 1;
const groupOf = (id: number, salt: number, groupCount: number): number => hash(id, seedCount + salt) % groupCount;

/** Hashes an id of up to 53 bits to 32 bits, as MurmurHash3 does. */
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
