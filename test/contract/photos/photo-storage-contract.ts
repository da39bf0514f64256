import { expect, test } from 'vitest';
import type { ByteRange, PhotoKey, PhotoStorage } from '../../../server/photos/photo-storage.ts';

const key = { accountId: '0192a4c0-0000-7000-8000-000000000001', id: 'ab'.repeat(32) };
const other = { ...key, accountId: '0192a4c0-0000-7000-8000-000000000002' };
const bytes = (text: string) => new TextEncoder().encode(text);
const whole = { start: 0, end: 100 };

async function textOf(storage: PhotoStorage, of: PhotoKey, range: ByteRange = whole): Promise<string | null> {
  const read = await storage.read(of, range);
  return read && new TextDecoder().decode(read);
}

/** Holds a driver of photo storage against what the server relies on. */
export function photoStorageContract(openStorage: () => Promise<PhotoStorage>): void {
  test('[PHOTO-1] a photo is read in ranges once it is finished, and not before', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abc'));
    await storage.append(key, 3, bytes('def'));
    expect(await storage.read(key, whole)).toBeNull();
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe('abcdef');
    expect(await textOf(storage, key, { start: 2, end: 4 })).toBe('cd');
    expect(await textOf(storage, key, { start: 4, end: 9 })).toBe('ef');
    expect(await textOf(storage, key, { start: 6, end: 9 })).toBe('');
    expect(await storage.read(other, whole)).toBeNull();
  });

  test('[PHOTO-1] the size of a photo is known once it is finished, and not before', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abc'));
    expect(await storage.size(key)).toBeUndefined();
    await storage.finish(key);
    expect([await storage.size(key), await storage.size(other)]).toEqual([3, undefined]);
    await storage.remove(key);
    expect(await storage.size(key)).toBeUndefined();
  });

  test('[PHOTO-2] an append writes at its offset and leaves the rest', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abcdef'));
    await storage.append(key, 2, bytes('X'));
    await storage.append(key, 0, bytes('Y'));
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe('YbXdef');
    expect(await storage.append(other, 3, bytes('d'))).toBe(false);
    expect(await storage.append(other, 0, bytes('a'))).toBe(true);
    expect(await storage.append(other, 3, bytes('d'))).toBe(false);
    await storage.finish(other);
    expect(await textOf(storage, other)).toBe('a');
  });

  test('[PHOTO-3] finishing and removing twice changes nothing', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abc'));
    await storage.finish(key);
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe('abc');
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.read(key, whole)).toBeNull();
  });
  test('[PHOTO-62] an append that is sent again with other bounds has the bytes of the last one', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('wrong'));
    await storage.append(key, 0, bytes('ab'));
    await storage.append(key, 2, bytes('cdef'));
    await storage.append(key, 2, bytes('cd'));
    await storage.append(key, 4, bytes('efgh'));
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe('abcdefgh');
  });

  test('[PHOTO-63] an upload byte by byte is the photo', async () => {
    const storage = await openStorage();
    const text = 'abcdefghijklmnopqrstuvwxyz';
    for (const [at, letter] of [...text].entries()) expect(await storage.append(key, at, bytes(letter))).toBe(true);
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe(text);
  });

  test('[PHOTO-3] a photo that is uploaded again replaces the first, and an upload that is removed begins at 0', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abcdef'));
    await storage.finish(key);
    expect(await storage.append(key, 6, bytes('g'))).toBe(false);
    await storage.append(key, 0, bytes('xy'));
    expect(await textOf(storage, key)).toBe('abcdef');
    await storage.finish(key);
    expect(await textOf(storage, key)).toBe('xy');
    await storage.append(key, 0, bytes('abc'));
    await storage.remove(key);
    expect(await storage.append(key, 3, bytes('d'))).toBe(false);
    await storage.finish(key);
    expect(await textOf(storage, key)).toBeNull();
  });
}
