/** The platform for photos of devices in Node: an encoder that takes small pictures as they are, and files in memory. */
import type { GembaOptions, PhotoEncoder, PhotoFiles, Recording } from '../../../client/client.ts';
import { largeJpeg, sampleJpeg, samplePixels } from '../../photo-samples.ts';

export const pictureOf = (bytes: Uint8Array<ArrayBuffer> | Buffer): Blob =>
  new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

/** A picture of its own for each seed, of about `bytes` bytes. */
export const picture = (seed: string, bytes = 500): Blob => pictureOf(largeJpeg(bytes, seed));

/** Takes JPEG files of 3 × 2 pixels, each with the same thumbnail. */
export const sampleEncoder: PhotoEncoder = {
  encode: async (given) => {
    const bytes = new Uint8Array(await given.arrayBuffer());
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new DOMException('no picture', 'InvalidStateError');
    return { photo: given, thumbnail: pictureOf(sampleJpeg), ...samplePixels };
  },
};

export interface MemoryFiles extends PhotoFiles {
  stored: Map<string, { content: Blob; writtenMs: number }>;
}

export function memoryFiles(now: () => number = Date.now): MemoryFiles {
  const stored: MemoryFiles['stored'] = new Map();
  return {
    stored,
    write: async (name, content) => void stored.set(name, { content, writtenMs: now() }),
    read: async (name) => stored.get(name)?.content,
    remove: async (name) => void stored.delete(name),
    size: async (name) => stored.get(name)?.content.size,
    list: async () => [...stored].map(([name, { writtenMs }]) => ({ name, changedMs: writtenMs })),
  };
}

export const photoPlatform = (): NonNullable<GembaOptions['photos']> => ({
  encoder: sampleEncoder,
  files: memoryFiles(),
});

/** Begins a step and takes photos in it. Returns their ids. */
export async function photographStep(recording: Recording, stage_name: string, pictures: Blob[]): Promise<string[]> {
  await recording.step({ stage_name });
  const ids: string[] = [];
  for (const taken of pictures) ids.push((await recording.photo(taken)).id);
  return ids;
}
