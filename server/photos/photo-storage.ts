import assert from 'node:assert/strict';

/** Names the bytes of one photo: `id` is the lower-case hex of their SHA-256. */
export interface PhotoKey {
  accountId: string;
  id: string;
}

/** The bytes from `start` up to `end`, which is left out. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The storage has no room for more bytes. What it has can still be read. */
export class PhotoStorageFull extends Error {
  override name = 'PhotoStorageFull';
}

/** Keeps the bytes of photos. The database knows each photo's offset and state: a storage decides nothing. */
export interface PhotoStorage {
  /**
   * Writes `bytes` at `offset`, leaves what stands behind them, and resolves once they are durable. Returns false and writes
   * nothing if bytes before `offset` are missing. Rejects with `PhotoStorageFull` if there is no room.
   */
  append(key: PhotoKey, offset: number, bytes: Uint8Array): Promise<boolean>;
  /** Makes what was appended the photo. Has no effect where nothing was appended since the last call. */
  finish(key: PhotoKey): Promise<void>;
  /** Reads a finished photo; `null` where there is none. */
  read(key: PhotoKey, range: ByteRange): Promise<Uint8Array | null>;
  /** Returns the bytes of a finished photo; undefined where there is none. */
  size(key: PhotoKey): Promise<number | undefined>;
  /** Removes the photo and what was appended. A second call changes nothing. */
  remove(key: PhotoKey): Promise<void>;
}

/** Returns the path of a photo in a storage, `<account>/<id>`. Throws if the key is no path. */
export function photoPath({ accountId, id }: PhotoKey): string {
  assert(/^[\w-]+$/.test(accountId) && /^[0-9a-f]{64}$/.test(id), 'the key of a photo is no path');
  return `${accountId}/${id}`;
}
