/** Stores the bytes of photos and thumbnails as files, or as rows where the device has no file system. */
import { photoBytesBody } from '../generated/photo-row-schemas.ts';
import type { Clock } from '../core/clock.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { PhotoBytesBody } from './row-shapes.ts';

export interface PhotoFiles {
  /** Resolves once the file is durable. Replaces a file with this name. */
  write(name: string, content: Blob): Promise<void>;
  /** Resolves to undefined if there is no such file. */
  read(name: string): Promise<Blob | undefined>;
  /** Resolves to the size of the file in bytes; undefined if there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /**
   * Lists the files with the times of their last changes in milliseconds since 1970. Lists none if they are stored as
   * rows.
   */
  list(): Promise<{ name: string; changedMs: number }[]>;
}

export const thumbnailNameOf = (hex: string): string => `${hex}.thumbnail`;

/** Returns the hex digits of the photo to which a file belongs. */
export const hexOfFile = (name: string): string => name.slice(0, 64);

/** If the shape of the rows changes, the collection gets a new name. */
export const photoBytesCollection = 'photo_bytes_v1';

/** Stores files as rows, for an app's own storage and for browsers without a private file system. */
export async function openRowPhotoFiles(
  { openTable }: Pick<DeviceTables, 'openTable'>,
  schedule: Clock['schedule'],
): Promise<PhotoFiles> {
  const collection = { name: photoBytesCollection, version: 0, bodySchema: photoBytesBody };
  const table = await openTable<PhotoBytesBody>(collection, { schedule });
  return {
    write: async (name, content) => {
      await table.refresh(name);
      const body = { kind: 'bytes' as const, content_type: content.type, base64: await base64Of(content) };
      await table.write([{ id: name, body }]);
    },
    read: async (name) => {
      const row = await table.refresh(name);
      if (!row) return undefined;
      const bytes = Uint8Array.from(atob(row.base64), (character) => character.codePointAt(0) ?? 0);
      return new Blob([bytes], { type: row.content_type });
    },
    remove: async (name) => {
      await table.refresh(name);
      await table.write([], [name]);
    },
    size: async (name) => {
      const base64 = (await table.refresh(name))?.base64;
      return base64 === undefined ? undefined : (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
    },
    list: () => Promise.resolve([]),
  };
}

export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  // Convert in pieces, since a call with too many arguments overflows the stack.
  for (let from = 0; from < bytes.length; from += 8_192) {
    text += String.fromCodePoint(...bytes.subarray(from, from + 8_192));
  }
  return btoa(text);
}
