import type { PhotoLibrary } from '../../photos/photo-library.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';

/** A photo's id in requests and responses, from the hex digits that the database has. */
export const photoIdOf = (hex: string): string => `sha256:${hex}`;

/** Returns the hex digits of the id in a path; undefined if no photo can have this id. */
export const hexOfPhotoId = (id: string | undefined): string | undefined =>
  /^sha256:([0-9a-f]{64})$/.exec(id ?? '')?.[1];

export const photoNotFoundRefusal: RefusedReply = {
  ok: false,
  error: { code: 'photo_not_found', detail: 'There is no such photo.' },
};

export function findLibrary({ photos }: Services): { ok: true; library: PhotoLibrary } | RefusedReply {
  if (photos) return { ok: true, library: photos };
  return { ok: false, error: { code: 'photos_not_kept', detail: 'This server keeps no photos.' } };
}
