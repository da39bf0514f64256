/**
 * The problems of photos. The app does not load this file at its start: it does not create these problems itself, and
 * each response brings the title of its problem.
 */
import type { ProblemKind } from './problem-kind.ts';

export const photoProblemKinds = {
  photo_quota_reached: { status: 403, title: 'The plan stores no more photos' },
  photo_not_found: { status: 404, title: 'No such photo' },
  photo_awaited: { status: 404, title: 'The photo has not arrived yet' },
  photo_mismatch: { status: 409, title: 'The photo was declared otherwise' },
  offset_mismatch: { status: 409, title: 'The upload is at another offset' },
  upload_complete: { status: 409, title: 'The photo is stored' },
  upload_expired: { status: 410, title: 'There is no such upload any more' },
  tus_version_unsupported: { status: 412, title: 'Another version of tus' },
  range_not_satisfiable: { status: 416, title: 'The photo ends before this range' },
  photo_corrupt: { status: 422, title: 'The bytes are not the photo that was declared' },
  photo_has_metadata: { status: 422, title: 'The photo has metadata' },
  upload_busy: { status: 423, title: 'Another request writes to this upload' },
  photos_not_kept: { status: 501, title: 'This server keeps no photos' },
} as const satisfies Record<string, ProblemKind>;

export type PhotoProblemCode = keyof typeof photoProblemKinds;
