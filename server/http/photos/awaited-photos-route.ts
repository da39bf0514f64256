import { Type } from 'typebox';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { AwaitedPhotoPage } from '../../../shared/schema/photos/run-photos.ts';
import type { AwaitedPhoto, ReferencePosition } from '../../store/photos/photo-reference.ts';
import { pageOf } from '../../store/page.ts';
import { isIntegerText, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from '../routes/list.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import { findPhotoLibrary } from './find-library.ts';

const path = '/api/v1/photos';

export function awaitedPhotosRoute(services: Services): Route {
  return route({
    method: 'GET',
    path,
    access: ['read'],
    query: Closed({
      ...pageQueryFields,
      status: Described(Type.Enum(['awaited'], { expected: 'awaited' }), 'Lists what runs refer to and is missing.'),
    }),
    async handle({ caller: { accountId }, query }) {
      const libraryFound = findPhotoLibrary(services);
      if (!libraryFound.ok) return libraryFound;
      const list = { path, filters: { status: query.status }, limit: query.limit };
      const at = parsePageCursor(list, query.cursor, (text) => parseReferencePosition(text) !== undefined);
      if (!at.ok) return at;
      const limit = pageLimitOf(query);
      const after = at.position === undefined ? undefined : parseReferencePosition(at.position);
      const found = await services.store.awaitedPhotos(accountId, { after, limit: limit + 1 });
      const page = pageOf(found, limit, { position: formatReferencePosition, row: renderAwaitedPhoto });
      return pageReply(list, page.rows, page.next);
    },
    docs: {
      operationId: 'listAwaitedPhotos',
      tag: 'Photos',
      summary: 'List awaited photos',
      description:
        'The photos that runs refer to and that are missing, each with the run, its device and since when. A photo that several runs refer to is listed for each.',
      response: { status: 200, description: 'A page of awaited photos.', schema: AwaitedPhotoPage, headers: ['Link'] },
      codes: ['photos_not_kept'],
      examples: { plain: { summary: 'What is missing', query: { status: 'awaited' } } },
    },
  });
}

const renderAwaitedPhoto = ({ photo_id, run_id, map_id, device_id, referenced_at }: AwaitedPhoto) => ({
  id: photoIdOf(photo_id),
  run_id,
  map_id,
  device_id,
  awaited_since: referenced_at,
});

const formatReferencePosition = ({ photo_id, run_id }: ReferencePosition): string => `${photo_id}-${run_id}`;

function parseReferencePosition(text: string): ReferencePosition | undefined {
  const [, photo_id, run_id] = /^([0-9a-f]{64})-(\d+)$/.exec(text) ?? [];
  return photo_id !== undefined && run_id !== undefined && isIntegerText(run_id)
    ? { photo_id, run_id: Number(run_id) }
    : undefined;
}
