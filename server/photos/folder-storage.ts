import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { photoPath, PhotoStorageFull, type ByteRange, type PhotoKey, type PhotoStorage } from './photo-storage.ts';

const openOrCreateFlags = constants.O_RDWR | constants.O_CREAT;

/** Uploads leave this much of the disk free, so that the database can still store recordings. */
const freeBytesMinDefault = 256 * 1024 * 1024;

/**
 * Stores photos as files in `folder`, in a folder for each account. The file of an unfinished upload has the suffix
 * `.part`. Appends reject with `PhotoStorageFull` while the disk has less than `freeBytesMin` free.
 */
export function createFolderStorage(folder: string, { freeBytesMin = freeBytesMinDefault } = {}): PhotoStorage {
  const pathOf = (key: PhotoKey): string => photoFilePath(folder, key);
  return {
    async append(key, offset, bytes) {
      const path = `${pathOf(key)}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const { bavail, bsize } = await statfs(dirname(path));
        if (bavail * bsize < freeBytesMin) throw new PhotoStorageFull('The disk has no room for photos');
        if (!(await writeUpload(path, offset, bytes))) return false;
        // Sync all folders, since another call may have made them and failed before it synced them.
        if (offset === 0) for (const each of [dirname(path), folder, dirname(folder)]) await syncFolder(each);
        return true;
      } catch (error) {
        throw isDiskFull(error) ? new PhotoStorageFull('The disk is full', { cause: error }) : error;
      }
    },
    async finish(key) {
      const path = pathOf(key);
      try {
        await rename(`${path}.part`, path);
      } catch (error) {
        if (!isFileMissing(error)) throw error;
        // The file may be missing because an earlier call renamed it and its process died before the sync. Sync the
        // folder anyway.
      }
      await syncFolder(dirname(path));
    },
    async read(key, { start, end }) {
      try {
        const file = await open(pathOf(key));
        try {
          return await readAll(file, { start, end });
        } finally {
          await file.close();
        }
      } catch (error) {
        if (isFileMissing(error)) return null;
        throw error;
      }
    },
    async size(key) {
      try {
        return (await stat(pathOf(key))).size;
      } catch (error) {
        if (isFileMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(`${path}.part`, { force: true });
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    },
  };
}

/** Returns the path of a finished photo's file. */
export const photoFilePath = (folder: string, key: PhotoKey): string => join(folder, photoPath(key));

/** Returns false and writes nothing if bytes before `offset` are missing. */
async function writeUpload(path: string, offset: number, bytes: Uint8Array): Promise<boolean> {
  const file = await openUpload(path, offset);
  if (!file) return false;
  try {
    if ((await file.stat()).size < offset) return false;
    await writeAll(file, bytes, offset);
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

/**
 * Opens the file of an upload. If the file is missing, creates it at offset 0, and returns undefined at a later offset.
 */
async function openUpload(path: string, offset: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, offset === 0 ? openOrCreateFlags : constants.O_RDWR, 0o600);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Reads the bytes of the range that the file has. One read may return fewer bytes than it was asked for, so several
 * reads may be needed.
 */
async function readAll(file: FileHandle, { start, end }: ByteRange): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

async function writeAll(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
}

/**
 * Calls fsync, so that the entries of a folder survive a power cut. Has no effect without the folder, or on Windows,
 * which cannot open folders.
 */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isFileMissing(error)) throw error;
  }
}

const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

const isFileMissing = (error: unknown): boolean => hasErrorCode(error, 'ENOENT');
const isDiskFull = (error: unknown): boolean => hasErrorCode(error, 'ENOSPC', 'EDQUOT');
