/**
 * Encodes pictures and writes files in a worker, so that neither delays a tap. A canvas copies no metadata, so the
 * photo does not tell the place or the camera of the picture. Files are written synchronously, since Safari before 26
 * has no other way. Only workers may write files synchronously.
 */
import { encodePicture, type EncodedPhoto } from './encode-picture.ts';

export interface FileToWrite {
  /** The names of the folders from the root of the private file system down to the file. */
  folder: string[];
  name: string;
  content: Blob;
}

export type PhotoWorkerRequest = { id: number } & ({ picture: Blob } | { file: FileToWrite });
export type PhotoWorkerResponse = { id: number; encoded?: EncodedPhoto } | { id: number; errorName: string };

/** The synchronous file handle of workers, which TypeScript's DOM library does not declare. */
interface AccessHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array): number;
  flush(): void;
  close(): void;
}

self.addEventListener('message', ({ data }: MessageEvent<PhotoWorkerRequest>) => {
  void respondTo(data).then((response) => self.postMessage(response));
});

async function respondTo(request: PhotoWorkerRequest): Promise<PhotoWorkerResponse> {
  const { id } = request;
  try {
    if ('picture' in request) return { id, encoded: await encodePicture(request.picture) };
    await writeFile(request.file);
    return { id };
  } catch (error) {
    return { id, errorName: error instanceof Error || error instanceof DOMException ? error.name : 'Error' };
  }
}

async function writeFile({ folder, name, content }: FileToWrite): Promise<void> {
  let directory = await navigator.storage.getDirectory();
  for (const part of folder) directory = await directory.getDirectoryHandle(part, { create: true });
  const file = await directory.getFileHandle(name, { create: true });
  const bytes = new Uint8Array(await content.arrayBuffer());
  const handle = await (
    file as unknown as { createSyncAccessHandle(): Promise<AccessHandle> }
  ).createSyncAccessHandle();
  try {
    handle.truncate(0);
    // Safari before 17.4 writes a part of the bytes when the quota ends, instead of throwing.
    if (handle.write(bytes) < bytes.length) throw new DOMException('The quota has ended', 'QuotaExceededError');
    handle.flush();
  } finally {
    handle.close();
  }
}
