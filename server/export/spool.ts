/**
 * Keeps an export on the disk until the client has read it, so that no snapshot of the database waits for the client.
 * The file is unlinked as soon as it is open, so the system frees its space even if the process dies.
 */
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../store/store.ts';

export interface Spool {
  size: number;
  /** Yields the whole file in pieces. */
  read(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Limits the bytes in memory while a spool is written or read. */
const pieceBytes = 256 * 1024;

interface SpoolOptions {
  /** The name under which the file is created. It is unlinked as soon as it is open. */
  uniqueName: string;
  bytesMax: number;
}

/** Thrown when the disk has no room for an export. An operator has to make room. */
export class SpoolDiskFull extends Error {
  override name = 'SpoolDiskFull';
}

/**
 * Writes all pieces. Resolves to undefined if they have more than `bytesMax`. Rejects with `SpoolDiskFull` if the disk
 * is full, and with `StoreUnavailable` if its folder cannot be written to.
 */
export async function writeSpool(
  pieces: AsyncIterable<string | Uint8Array>,
  { uniqueName, bytesMax }: SpoolOptions,
): Promise<Spool | undefined> {
  const file = await openUnlinked(join(tmpdir(), `gemba-export-${uniqueName}`));
  try {
    const size = await writeAll(file, pieces, bytesMax);
    if (size === undefined) return void (await file.close());
    return { size, read: () => readAll(file, size), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw translateDiskError(error);
  }
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw translateDiskError(error);
  });
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw translateDiskError(error);
  }
}

async function writeAll(
  file: FileHandle,
  pieces: AsyncIterable<string | Uint8Array>,
  bytesMax: number,
): Promise<number | undefined> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let [filled, written] = [0, 0];
  const flush = async () => {
    for (let at = 0; at < filled;) at += (await file.write(buffer, at, filled - at, written + at)).bytesWritten;
    written += filled;
    filled = 0;
  };
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + pieceBytes - filled);
      buffer.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled === pieceBytes) await flush();
    }
    if (written + filled > bytesMax) return undefined;
  }
  await flush();
  return written;
}

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('A spool was cut off');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

const fullDiskErrors = new Set(['ENOSPC', 'EDQUOT']);
/** The errors of a folder that cannot be used. They count as an outage until the operator corrects the folder. */
const unusableFolderErrors = new Set(['EROFS', 'EACCES', 'ENOENT', 'EMFILE', 'ENFILE', 'EIO']);

function translateDiskError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const options = { cause: error };
  if (fullDiskErrors.has(code)) return new SpoolDiskFull(`The folder of exports: ${code}`, options);
  return unusableFolderErrors.has(code) ? new StoreUnavailable(`The folder of exports: ${code}`, options) : error;
}
