/** Stores photos as files in a browser's Origin Private File System. The photo worker writes them. */
import type { PhotoFiles } from './photo-files.ts';
import { photosFolder } from './photo-folder.ts';
import type { PhotoWorker } from './encode/photo-worker-client.ts';

/** Resolves to undefined if the browser has no private file system, as in private windows. */
export async function openOpfsPhotoFiles(deviceName: string, worker: PhotoWorker): Promise<PhotoFiles | undefined> {
  if (typeof Worker === 'undefined' || !globalThis.navigator?.storage?.getDirectory) return undefined;
  const folderName = encodeURIComponent(deviceName);
  let folder: FileSystemDirectoryHandle;
  try {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(photosFolder, { create: true });
    folder = await root.getDirectoryHandle(folderName, { create: true });
  } catch {
    return undefined;
  }
  const fileOf = async (name: string): Promise<File | undefined> => {
    try {
      return await (await folder.getFileHandle(name)).getFile();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    write: (name, content) => worker.write({ folder: [photosFolder, folderName], name, content }),
    // Add the type, which these files lack: without it, a browser would not show the picture.
    read: async (name) => {
      const file = await fileOf(name);
      return file?.slice(0, file.size, 'image/jpeg');
    },
    remove: async (name) => {
      await folder.removeEntry(name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
    size: async (name) => (await fileOf(name))?.size,
    list: async () => {
      const files: { name: string; changedMs: number }[] = [];
      for await (const name of folder.keys()) {
        const file = await fileOf(name);
        if (file) files.push({ name, changedMs: file.lastModified });
      }
      return files;
    },
  };
}

const isNotFound = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError';
