/**
 * The upload routes of a declared photo. They follow the protocol tus 1.0 with its extensions expiration and
 * termination. `POST /photos` creates the upload. If a PATCH breaks off, the server keeps the bytes that arrived.
 */
import { photoChunkBytesMax } from '../../../shared/schema/photos/photo.ts';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import type { ProblemCode } from '../../../shared/protocol/problem.ts';
import type { AppendOutcome } from '../../photos/photo-uploads.ts';
import type { PhotoRow } from '../../store/photos/photo-row.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { hexOfPhotoId } from '../../../shared/schema/photos/photo-id.ts';
import { findPhotoLibrary } from './find-library.ts';
import { tusHeaders, tusOptionsHeaders, tusVersion, uploadHeaders } from './upload-state.ts';

const path = '/api/v1/photos/:photo_id/upload';
const access: Route['access'] = ['record', 'write'];

export function uploadRoutes(services: Services): Route[] {
  return [
    route({
      method: 'HEAD',
      path,
      access,
      precheck: checkTusVersion,
      async handle(request) {
        const found = await findUpload(services, request);
        if (!found.ok) return found;
        const { photo } = found;
        const headers = { ...uploadHeaders(photo), 'Upload-Length': String(photo.bytes) };
        return { ok: true, emptyStatus: 200, headers };
      },
      docs: {
        operationId: 'getUploadOffset',
        tag: 'Photos',
        summary: 'How far is an upload?',
        description: 'Where to go on after a break: `Upload-Offset` bytes of `Upload-Length` have arrived.',
        response: {
          status: 200,
          description: 'The offset.',
          headers: ['Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Expires'],
        },
        codes: uploadProblemCodes,
        tus: 'any',
        examples: {},
      },
    }),

    route({
      method: 'PATCH',
      path,
      access,
      binaryBody: 'application/offset+octet-stream',
      takesBrokenBody: true,
      bodyBytesMax: photoChunkBytesMax,
      optionsHeaders: tusOptionsHeaders,
      precheck: checkTusVersion,
      async handle(request) {
        const offset = parseOffset(request.header('Upload-Offset'));
        if (!offset.ok) return withTusHeaders(offset);
        const found = await findUpload(services, request);
        if (!found.ok) return found;
        const bytes = request.body as Uint8Array;
        const { uploads } = services.photos!;
        const { accountId, actor } = request.caller;
        const piece = { offset: offset.at, bytes, actor };
        return appendReply(found.photo, await uploads.append(accountId, found.photo.id, piece));
      },
      docs: {
        operationId: 'appendToUpload',
        tag: 'Photos',
        summary: 'Append to an upload',
        description:
          'Appends up to 1 MiB at `Upload-Offset`. The reply means that the bytes are on the disk. What arrived of a request that broke off counts, too: ask for the offset with `HEAD`. With the last byte, the photo is checked and stored.',
        response: {
          status: 204,
          description: 'The bytes are there.',
          headers: ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'],
        },
        codes: [
          ...uploadProblemCodes,
          'validation_failed',
          'offset_mismatch',
          'upload_busy',
          'photo_corrupt',
          'photo_has_metadata',
        ],
        tus: 'append',
        examples: {},
      },
    }),

    route({
      method: 'DELETE',
      path,
      access,
      precheck: checkTusVersion,
      async handle(request) {
        const found = await findUpload(services, request);
        if (!found.ok) return found;
        const outcome = await services.photos!.uploads.terminate(request.caller.accountId, found.photo.id);
        if (outcome === 'ended') return { ok: true, emptyStatus: 204, headers: tusHeaders };
        return withTusHeaders(outcome === 'upload_busy' ? uploadBusyRefusal : uploadCompleteRefusal);
      },
      docs: {
        operationId: 'endUpload',
        tag: 'Photos',
        summary: 'End an upload',
        description: 'Forgets the photo and what arrived of it. A photo that is stored stays.',
        response: { status: 204, description: 'The upload is gone.', headers: ['Tus-Resumable'] },
        codes: [...uploadProblemCodes, 'upload_complete', 'upload_busy'],
        tus: 'any',
        examples: {},
      },
    }),
  ];
}

const uploadProblemCodes: ProblemCode[] = ['upload_expired', 'tus_version_unsupported', 'photos_not_kept'];

function checkTusVersion(header: ApiRequest['header']): RefusedReply | undefined {
  if (header('Tus-Resumable') === tusVersion) return undefined;
  return {
    ok: false,
    error: { code: 'tus_version_unsupported', detail: `Send Tus-Resumable: ${tusVersion}.` },
    headers: { ...tusHeaders, 'Tus-Version': tusVersion },
  };
}

const withTusHeaders = (refused: RefusedReply): RefusedReply => ({
  ...refused,
  headers: { ...tusHeaders, ...refused.headers },
});

async function findUpload(
  services: Services,
  { params, caller }: ApiRequest,
): Promise<{ ok: true; photo: PhotoRow } | RefusedReply> {
  const libraryFound = findPhotoLibrary(services);
  if (!libraryFound.ok) return withTusHeaders(libraryFound);
  const id = hexOfPhotoId(params['photo_id']);
  const photo = id === undefined ? undefined : await libraryFound.library.uploads.find(caller.accountId, id);
  return photo ? { ok: true, photo } : withTusHeaders(uploadExpiredRefusal);
}

function parseOffset(text: string | undefined): { ok: true; at: number } | RefusedReply {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return { ok: true, at: Number(text) };
  return validationRefusal([{ path: '/Upload-Offset', message: 'must be an integer from 0' }]);
}

function appendReply(before: PhotoRow, outcome: AppendOutcome): Reply {
  if (outcome.ok) return { ok: true, emptyStatus: 204, headers: uploadHeaders(outcome.photo) };
  switch (outcome.code) {
    case 'photo_not_found':
      return withTusHeaders(uploadExpiredRefusal);
    case 'upload_too_long': {
      const bytes_max = before.bytes - before.received_bytes;
      const detail = `The photo has ${before.bytes} bytes, so ${bytes_max} are missing.`;
      return withTusHeaders({ ok: false, error: { code: 'payload_too_large', detail, members: { bytes_max } } });
    }
    case 'upload_busy':
      return withTusHeaders(uploadBusyRefusal);
    default: {
      const { code, photo } = outcome;
      const offset = photo.received_bytes;
      const error = { code, detail: photoFlawTexts[code] ?? `The upload is at ${offset}.`, members: { offset } };
      return { ok: false, error, headers: uploadHeaders(photo) };
    }
  }
}

const photoFlawTexts: Partial<Record<Exclude<AppendOutcome, { ok: true }>['code'], string>> = {
  photo_corrupt: 'The bytes are not the photo that was declared.',
  photo_has_metadata: 'The photo has metadata, such as EXIF or XMP. Encode it anew without.',
};

const uploadExpiredRefusal: RefusedReply = {
  ok: false,
  error: { code: 'upload_expired', detail: 'There is no such upload any more.' },
};

const uploadCompleteRefusal: RefusedReply = {
  ok: false,
  error: { code: 'upload_complete', detail: 'The photo is stored.' },
};

const uploadBusyRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'upload_busy',
    detail: 'Another request writes to this upload.',
    members: { retry_after_secs: 1 },
  },
};
