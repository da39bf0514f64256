import { expect, test } from 'vitest';
import type { PhotoStorage } from '../../../server/photos/photo-storage.ts';

const key = { accountId: '0192a4c0-0000-7000-8000-000000000001', id: 'ab'.repeat(32) };
const other = { ...key, accountId: '0192a4c0-0000-7000-8000-000000000002' };
const bytes = (text: string) => new TextEncoder().encode(text);
const whole = { start: 0, end: 100 };

/** Holds a driver of photo storage against what the server relies on. */
export function photoStorageContract(openStorage: () => Promise<PhotoStorage>): void {
  test('[PHOTO-1] a photo is read in ranges once it is finished, and not before', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abc'));
    await storage.append(key, 3, bytes('def'));
    expect(await storage.read(key, whole)).toBeNull();
    await storage.finish(key);
    expect(await storage.read(key, whole)).toEqual(bytes('abcdef'));
    expect(await storage.read(key, { start: 2, end: 4 })).toEqual(bytes('cd'));
    expect(await storage.read(other, whole)).toBeNull();
  });

  test('[PHOTO-2] an append writes at its offset and leaves the rest', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abcdef'));
    await storage.append(key, 2, bytes('X'));
    await storage.append(key, 0, bytes('Y'));
    await storage.finish(key);
    expect(await storage.read(key, whole)).toEqual(bytes('YbXdef'));
    expect(await storage.append(other, 3, bytes('d'))).toBe(false);
    expect(await storage.append(other, 0, bytes('a'))).toBe(true);
    expect(await storage.append(other, 3, bytes('d'))).toBe(false);
    await storage.finish(other);
    expect(await storage.read(other, whole)).toEqual(bytes('a'));
  });

  test('[PHOTO-3] finishing and removing twice changes nothing', async () => {
    const storage = await openStorage();
    await storage.append(key, 0, bytes('abc'));
    await storage.finish(key);
    await storage.finish(key);
    expect(await storage.read(key, whole)).toEqual(bytes('abc'));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.read(key, whole)).toBeNull();
  });
}
