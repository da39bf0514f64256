/** The meanings of the problems of photos and their uploads. */
import type { ProblemMeaning } from './problem-meaning.ts';
import type { PhotoProblemCode } from '../problems/photo-problem-kinds.ts';

export const photoProblemMeanings: Record<PhotoProblemCode, ProblemMeaning> = {
  photo_quota_reached: {
    meaning: 'The photos of the account take as many bytes as its plan stores.',
    remedy:
      'Change the plan, or delete runs whose photos are not needed: their photos are removed 30 days later. The recordings that refer to the photo are not concerned.',
    detail: 'The free plan stores 2048 MiB of photos, and this one does not fit any more.',
    members: { limit_bytes: 2_147_483_648, plan: 'free' },
  },
  photo_not_found: {
    meaning:
      "There is no such photo for this token, or it has no thumbnail. Another account's photo looks exactly the same.",
    remedy: 'Check the id and whose token it is.',
    detail: 'There is no such photo.',
  },
  photo_awaited: {
    meaning: 'The photo is known, and its bytes have not all arrived.',
    remedy: 'Ask again later. The thumbnail may be there already.',
    detail: 'The photo has not arrived yet.',
  },
  photo_mismatch: {
    meaning: 'The account has a photo of this id with another number of bytes or of another type.',
    remedy: 'The id is the SHA-256 of the bytes: compute it again, and declare what the file is.',
    detail: 'The account has a photo of this id with other bytes or of another type.',
  },
  offset_mismatch: {
    meaning:
      'The upload is at another offset than `Upload-Offset` says. The response has the right one in the header and in `offset`.',
    remedy: 'Go on from there.',
    detail: 'The upload is at 1048576.',
    members: { offset: 1_048_576 },
  },
  upload_complete: {
    meaning: 'All bytes of the upload are there, and the photo is stored. Its upload cannot be ended any more.',
    remedy: 'Nothing is left to do.',
    detail: 'The photo is stored.',
  },
  upload_expired: {
    meaning: 'The upload was never begun or was ended, or it got no byte for 14 days and no run refers to it.',
    remedy: 'Declare the photo again.',
    detail: 'There is no such upload any more.',
  },
  tus_version_unsupported: {
    meaning: 'The request does not name version 1.0.0 of tus in `Tus-Resumable`.',
    remedy: 'Send `Tus-Resumable: 1.0.0`.',
    detail: 'Send Tus-Resumable: 1.0.0.',
  },
  range_not_satisfiable: {
    meaning: 'The photo has fewer bytes than the beginning of the range. `Content-Range` has their number.',
    remedy: 'Ask for a range that begins within the photo.',
    detail: 'The photo has 48213 bytes.',
  },
  photo_corrupt: {
    meaning:
      'The bytes do not have the SHA-256 of the id, or are not one whole file of the type and size that were declared. The upload is at 0 again.',
    remedy: 'Declare the right width and height, or upload the bytes anew.',
    detail: 'The bytes are not the photo that was declared.',
    members: { offset: 0 },
  },
  photo_has_metadata: {
    meaning:
      'The photo or its thumbnail has EXIF, XMP, a comment or another part that is not needed to show it. Nothing with a place or a serial number is stored. The upload is at 0 again.',
    remedy: 'Encode the picture anew without metadata, and declare the result.',
    detail: 'The photo has metadata, such as EXIF or XMP.',
    members: { offset: 0 },
  },
  upload_busy: {
    meaning: 'Another request writes to this upload.',
    remedy: 'Try again when `Retry-After` says.',
    detail: 'Another request writes to this upload.',
    members: { retry_after_secs: 1 },
  },
  photos_not_kept: {
    meaning: 'The server runs on PostgreSQL, and its operator has not told it where its processes share photos.',
    remedy: 'Ask the operator to set `GEMBA_S3_URL` or `GEMBA_PHOTOS_SHARED`. Recordings are taken all the same.',
    detail: 'This server keeps no photos.',
  },
};
