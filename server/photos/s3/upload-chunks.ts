/**
 * Plans the chunks of an upload. Each append writes an object whose name says where its bytes belong in the photo.
 * Where chunks overlap, the bytes of the later one count. Pure.
 *
 *   sequence 1   ├────────── 0 to 300 ──────────┤
 *   sequence 2            ├─ 100 to 200 ─┤              read: 0 to 100 of 1, 100 to 200 of 2, 200 to 300 of 1
 *
 * An append also copies small chunks right before its bytes into its object, from the last chunk to the first. It stops
 * at a chunk that is more than twice as long as the object so far. An upload byte by byte thus leaves few objects, and
 * writes each byte few times.
 */

/** A stored object with the bytes of an upload from `start` to before `end`. */
export interface Chunk {
  name: string;
  sequence: number;
  start: number;
  end: number;
}

/** The part of a chunk that no later chunk overrides. `start` and `end` are positions in the photo. */
export interface ChunkPart {
  chunk: Chunk;
  start: number;
  end: number;
}

export interface AppendPlan {
  /** The new chunk: the merged parts, then the appended bytes. */
  written: Omit<Chunk, 'name'>;
  merged: ChunkPart[];
  /** The chunks that the new chunk replaces completely. */
  covered: Chunk[];
}

/** A chunk of this size or more is not merged into another one. */
const mergeBytesMax = 256 * 1024;

const mergeRatioMax = 2;

/** Returns the name of a chunk. The random `nonce` keeps two requests from writing to the same object. */
export const chunkName = ({ sequence, start, end }: Omit<Chunk, 'name'>, nonce: string): string =>
  `${sequence}-${start}-${end}-${nonce}`;

/** Reads a chunk from the name of its object. Returns undefined if the object is not a chunk. */
export function parseChunk(name: string): Chunk | undefined {
  const [, sequence, start, end] = /(?:^|\/)(\d{1,15})-(\d{1,15})-(\d{1,15})-[0-9a-f]+$/.exec(name) ?? [];
  const chunk = { name, sequence: Number(sequence), start: Number(start), end: Number(end) };
  return chunk.end > chunk.start ? chunk : undefined;
}

/** Returns the parts that make up the upload from 0 to the first missing byte. */
export function readableParts(chunks: readonly Chunk[]): ChunkPart[] {
  const parts: ChunkPart[] = [];
  for (let at = 0; ;) {
    const [first, ...others] = chunks.filter(({ start, end }) => start <= at && at < end);
    if (!first) return parts;
    const chunk = others.reduce((latest, other) => (isLaterChunk(other, latest) ? other : latest), first);
    const nextStarts = chunks
      .filter((other) => other.start > at && isLaterChunk(other, chunk))
      .map(({ start }) => start);
    const end = Math.min(chunk.end, ...nextStarts);
    parts.push({ chunk, start: at, end });
    at = end;
  }
}

/** Plans the chunk that appends bytes from `start` to `end`. Returns undefined if bytes before `start` are missing. */
export function planAppend(
  chunks: readonly Chunk[],
  { start, end }: { start: number; end: number },
): AppendPlan | undefined {
  const parts = readableParts(chunks);
  if ((parts.at(-1)?.end ?? 0) < start) return undefined;
  const before = parts
    .filter((part) => part.start < start)
    .map((part) => ({ ...part, end: Math.min(part.end, start) }));
  const merged: ChunkPart[] = [];
  const written = { sequence: Math.max(0, ...chunks.map(({ sequence }) => sequence)) + 1, start, end };
  for (const part of before.toReversed()) {
    const bytes = part.end - part.start;
    if (bytes >= mergeBytesMax || bytes > mergeRatioMax * (end - written.start)) break;
    merged.unshift(part);
    written.start = part.start;
  }
  const covered = chunks.filter((chunk) => chunk.start >= written.start && chunk.end <= end);
  return { written, merged, covered };
}

/**
 * Sorts chunks by their position, for their removal. The upload stays readable until its last chunk at offset 0 is
 * removed. After that, no request can mistake the remaining chunks for the photo.
 */
export const sortForRemoval = (chunks: readonly Chunk[]): Chunk[] =>
  chunks.toSorted((a, b) => a.start - b.start || a.end - b.end);

const isLaterChunk = (a: Chunk, b: Chunk): boolean =>
  a.sequence === b.sequence ? a.name > b.name : a.sequence > b.sequence;
