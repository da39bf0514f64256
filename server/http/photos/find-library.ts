import type { PhotoLibrary } from '../../photos/photo-library.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';

export const photoNotFoundRefusal: RefusedReply = {
  ok: false,
  error: { code: 'photo_not_found', detail: 'There is no such photo.' },
};

export function findPhotoLibrary({ photos }: Services): { ok: true; library: PhotoLibrary } | RefusedReply {
  if (photos) return { ok: true, library: photos };
  return { ok: false, error: { code: 'photos_not_kept', detail: 'This server keeps no photos.' } };
}
