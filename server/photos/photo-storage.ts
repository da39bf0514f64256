import assert from 'node:assert/strict';

/** Identifies the bytes of one photo. `id` is the lower-case hex of their SHA-256. */
export interface PhotoKey {
  accountId: string;
  id: string;
}

/** A range of bytes that includes `start` and excludes `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Thrown if the storage has no room for more bytes. Stored photos can still be read. */
export class PhotoStorageFull extends Error {
  override name = 'PhotoStorageFull';
}

/** Stores the bytes of photos, and nothing else about them. The database has the offset and the state of each photo. */
export interface PhotoStorage {
  /**
   * Writes `bytes` at `offset`, leaves later bytes as they are, and resolves once `bytes` are durable. Returns false
   * and writes nothing if bytes before `offset` are missing. Rejects with `PhotoStorageFull` if there is no room.
   */
  append(key: PhotoKey, offset: number, bytes: Uint8Array): Promise<boolean>;
  /** Makes the appended bytes a finished photo. Has no effect if nothing was appended since the last call. */
  finish(key: PhotoKey): Promise<void>;
  /** Reads a finished photo. Returns null if there is none. */
  read(key: PhotoKey, range: ByteRange): Promise<Uint8Array | null>;
  /** Returns the size of a finished photo in bytes. undefined if there is none. */
  size(key: PhotoKey): Promise<number | undefined>;
  /** Removes the photo and all appended bytes. A second call has no effect. */
  remove(key: PhotoKey): Promise<void>;
}

/** Returns the path of a photo within a storage, `<account>/<id>`. Throws if the key cannot be a path. */
export function photoPath({ accountId, id }: PhotoKey): string {
  assert(/^[\w-]+$/.test(accountId) && /^[0-9a-f]{64}$/.test(id), 'the key of a photo is no path');
  return `${accountId}/${id}`;
}
