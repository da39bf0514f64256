/** The folder of all photos in the private file system, with a subfolder for each device of the browser. */
export const photosFolder = 'gemba-photos';

/** Tells whether this browser has a folder of photos for the device with this name. */
export async function hasPhotoFolder(deviceName: string): Promise<boolean> {
  try {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(photosFolder);
    await root.getDirectoryHandle(encodeURIComponent(deviceName));
    return true;
  } catch {
    return false;
  }
}
