/** The schemas of the photo rows: the state of each photo, and its bytes where the device has no file system. */
import { Type, type Static } from 'typebox';
import type { Problem } from '../../shared/protocol/problem.ts';
import { Closed, Instant, Nullable } from '../../shared/schema/fields.ts';
import { PhotoBytes, PhotoType, Pixels } from '../../shared/schema/photos/photo.ts';

const PhotoEntry = Closed({
  kind: Type.Literal('photo'),
  /** The recording sessions in which the photo was taken. */
  sessions: Type.Array(Type.String()),
  content_type: PhotoType,
  bytes: PhotoBytes,
  width: Pixels,
  height: Pixels,
  taken_at: Instant,
  /**
   * `taken`: no finished recording refers to the photo yet. `refused`: the server refused the photo for good. `lost`:
   * this device lost the bytes before the server had them.
   */
  state: Type.Enum(['taken', 'unsent', 'stored', 'refused', 'lost']),
  /** True once the server knows the photo and has its thumbnail. */
  is_declared: Type.Boolean(),
  /** True if a person decided to send the photo, whatever the policy says. */
  sends_anyway: Type.Boolean(),
  /** When the server confirmed that it has the photo, by this device's clock. */
  stored_at: Nullable(Instant),
  /** Why the server refused the photo, now or at an earlier attempt. */
  problem: Nullable(Type.Unsafe<Problem>(Type.Object({}, { additionalProperties: true }))),
});
export type PhotoEntry = Static<typeof PhotoEntry>;

export const PhotoSettings = Closed({
  kind: Type.Literal('settings'),
  /** When photos are sent. `wifi`: on networks that are not metered. `ask`: when a person says so. */
  policy: Type.Enum(['always', 'wifi', 'ask']),
  /** The server's epoch at the last check of the photos; null before the first check. */
  epoch: Nullable(Type.String()),
});
export type PhotoSettings = Static<typeof PhotoSettings>;
export type PhotoPolicy = PhotoSettings['policy'];

/** Why the server accepts no photos for now. */
const PhotoHold = Closed({
  kind: Type.Literal('hold'),
  by: Type.Enum(['quota', 'server']),
  /** When the device tries again, by its own clock. */
  until: Instant,
});
export type PhotoHold = Static<typeof PhotoHold>;

export const PhotoBody = Type.Union([PhotoEntry, PhotoSettings, PhotoHold]);
export type PhotoBody = Static<typeof PhotoBody>;

/** The content of one file, in base64. */
export const PhotoBytesBody = Closed({
  kind: Type.Literal('bytes'),
  content_type: Type.String(),
  base64: Type.String(),
});
export type PhotoBytesBody = Static<typeof PhotoBytesBody>;
