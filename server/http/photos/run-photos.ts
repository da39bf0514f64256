/** Adds the status of a run's photos to the reply with the run. */
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { PhotoObject } from '../../../shared/schema/photos/run-photos.ts';
import { etagOf, etagWithPart } from '../../core/etag.ts';
import { sha256 } from '../../core/hash.ts';
import { toPhotoObject } from '../../store/photos/photo-object.ts';
import { photoIdsOf } from '../../store/photos/photo-reference.ts';
import type { Services } from '../services.ts';

export interface RunBodyAndEtag {
  body: RunDoc & { photo_objects?: PhotoObject[] };
  etag: string;
}

/** Adds the photos that the steps refer to, if the server stores photos. The ETag changes with their status. */
export async function withPhotos({ store, photos }: Services, accountId: string, run: RunDoc): Promise<RunBodyAndEtag> {
  const ids = photos ? photoIdsOf(run.steps) : [];
  if (ids.length === 0) return { body: run, etag: etagOf(run) };
  const declared = new Map((await store.photosOfRun(accountId, run.id)).map((photo) => [photo.id, photo]));
  const photo_objects = ids.map((id) => toPhotoObject(id, declared.get(id)));
  const etag = etagWithPart(etagOf(run), sha256(JSON.stringify(photo_objects)).slice(0, 16));
  return { body: { ...run, photo_objects }, etag };
}
