/** Turns a photo's row into the object that the API returns for a photo of a run. */
import type { PhotoObject } from '../../../shared/schema/photos/run-photos.ts';
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import type { ReferencedPhoto } from './photo-reference.ts';

/** `id` is the hex of the SHA-256. `photo` is undefined if nobody has declared the photo. */
export function toPhotoObject(id: string, photo: ReferencedPhoto | undefined): PhotoObject {
  const { content_type = null, bytes = null, width = null, height = null } = photo ?? {};
  const isStored = photo !== undefined && photo.stored_at !== null;
  return { id: photoIdOf(id), status: isStored ? 'stored' : 'awaited', content_type, bytes, width, height };
}
