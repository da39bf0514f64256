import { Type } from 'typebox';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { thumbnailBytesMax } from '../../../shared/schema/limits.ts';
import { NewPhotoBody, PhotoUpload } from '../../../shared/schema/photos/photo.ts';
import { successReply } from '../../core/reply.ts';
import { bytesPerMiB } from '../../store/account-limits.ts';
import type { Plan } from '../../../shared/schema/account.ts';
import { pixelsMax } from '../../photos/inspect-photo.ts';
import { flawOfThumbnail } from '../../photos/inspect-thumbnail.ts';
import type { DeclareOutcome } from '../../photos/photo-uploads.ts';
import { examplePhotoId } from '../routes/example-ids.ts';
import { route, type Route } from '../route.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { awaitedPhotosRoute } from './awaited-photos-route.ts';
import { hexOfPhotoId } from '../../../shared/schema/photos/photo-id.ts';
import { findPhotoLibrary, photoNotFoundRefusal } from './find-library.ts';
import { photoAwaitedRefusal, photoReply, thumbnailReply } from './photo-content.ts';
import { uploadBody, uploadHeaders, uploadPathOf } from './upload-state.ts';

export function photoRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/photos',
      access: ['record', 'write'],
      body: NewPhotoBody,
      async handle({ caller: { accountId }, body }) {
        const libraryFound = findPhotoLibrary(services);
        if (!libraryFound.ok) return libraryFound;
        const refusal = refuseSizeOrThumbnail(body);
        if (refusal) return refusal;
        const { library } = libraryFound;
        const plan = (await services.store.account(accountId))?.plan ?? 'free';
        const limit = { bytesMax: library.bytesMax[plan], plan };
        const declared = { ...body, id: hexOfPhotoId(body.id)!, thumbnail: body.thumbnail ?? null };
        const outcome = await library.uploads.declare(accountId, declared, limit.bytesMax);
        if (!outcome.ok) return declarationRefusal(outcome.code, limit);
        const headers = { ...uploadHeaders(outcome.photo), Location: uploadPathOf(body.id) };
        return successReply(outcome.isNew ? 201 : 200, uploadBody(outcome.photo), headers);
      },
      docs: {
        operationId: 'declarePhoto',
        tag: 'Photos',
        summary: 'Declare a photo',
        description:
          'Begins the upload of a photo, or tells how far it is: 201 for a new one, 200 for one that is known. A step refers to the photo by its id, which may be recorded before, during or after the upload. Until the photo is stored, its width, height and thumbnail can be corrected.',
        response: {
          status: 201,
          description: 'How far the upload is.',
          schema: PhotoUpload,
          headers: ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Expires'],
        },
        codes: ['photo_quota_reached', 'photo_mismatch', 'photo_corrupt', 'photo_has_metadata', 'photos_not_kept'],
        examples: {
          plain: {
            summary: 'A photo of 48 kB',
            body: { id: examplePhotoId, bytes: 48_213, content_type: 'image/jpeg', width: 2048, height: 1536 },
          },
        },
      },
    }),

    awaitedPhotosRoute(services),

    route({
      method: 'GET',
      path: '/api/v1/photos/:photo_id',
      access: ['read'],
      query: Closed({
        size: Described(
          Type.Optional(Type.Enum(['thumbnail'], { expected: 'thumbnail' })),
          'The thumbnail, which may be there before the photo.',
        ),
      }),
      async handle(request) {
        const libraryFound = findPhotoLibrary(services);
        if (!libraryFound.ok) return libraryFound;
        const id = hexOfPhotoId(request.params['photo_id']);
        const { library } = libraryFound;
        if (id === undefined) return photoNotFoundRefusal;
        const { accountId } = request.caller;
        const photo = await library.uploads.find(accountId, id);
        if (!photo) {
          return (await services.store.isPhotoReferenced(accountId, id)) ? photoAwaitedRefusal : photoNotFoundRefusal;
        }
        if (request.query.size === 'thumbnail') return thumbnailReply(photo);
        const found = await library.uploads.reconcile(accountId, photo);
        if (!found || found.stored_at === null) return photoAwaitedRefusal;
        return photoReply(library.storage, request, found);
      },
      docs: {
        operationId: 'getPhoto',
        tag: 'Photos',
        summary: 'Get a photo',
        description: 'The bytes of a photo, whole or a `Range` of them. They never change.',
        response: {
          status: 200,
          description: 'The photo.',
          schema: Type.String(),
          contentType: 'image/*',
          headers: ['ETag'],
        },
        codes: ['photo_not_found', 'photo_awaited', 'range_not_satisfiable', 'photos_not_kept'],
        conditionalRead: true,
        takesRange: true,
        examples: {},
      },
    }),
  ];
}

/** Refuses too many pixels or an invalid thumbnail, before anything is stored. */
function refuseSizeOrThumbnail({ width, height, thumbnail }: NewPhotoBody): RefusedReply | undefined {
  if (width * height > pixelsMax) {
    return validationRefusal([{ path: '/height', message: 'times width must be at most 50,000,000' }]);
  }
  if (thumbnail === undefined) return undefined;
  const bytes = Buffer.from(thumbnail, 'base64');
  if (bytes.length > thumbnailBytesMax || bytes.toString('base64') !== thumbnail) {
    return validationRefusal([{ path: '/thumbnail', message: `must be base64 of at most ${thumbnailBytesMax} bytes` }]);
  }
  const flaw = flawOfThumbnail(bytes);
  return flaw && { ok: false, error: { code: flaw, detail: thumbnailFlawTexts[flaw] } };
}

const thumbnailFlawTexts = {
  photo_corrupt: 'The thumbnail is not one whole JPEG or WebP of at most 1,024 pixels a side.',
  photo_has_metadata: 'The thumbnail has metadata, such as EXIF or XMP. Encode it anew without.',
} as const;

function declarationRefusal(
  code: Exclude<DeclareOutcome, { ok: true }>['code'],
  { bytesMax, plan }: { bytesMax: number; plan: Plan },
): RefusedReply {
  if (code === 'photo_mismatch') {
    return {
      ok: false,
      error: { code, detail: 'The account has a photo of this id with other bytes or of another type.' },
    };
  }
  const mebibytes = Math.round(bytesMax / bytesPerMiB);
  const detail = `The ${plan} plan stores ${mebibytes} MiB of photos, and this one does not fit any more.`;
  return { ok: false, error: { code, detail, members: { limit_bytes: bytesMax, plan } } };
}
