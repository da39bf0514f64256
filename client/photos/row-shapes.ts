/** The schemas of the rows of photos: what the device knows of each photo, and the bytes where it has no file system. */
import { Type, type Static } from 'typebox';
import type { Problem } from '../../shared/protocol/problem.ts';
import { Closed, Instant, Nullable } from '../../shared/schema/fields.ts';
import { PhotoBytes, PhotoType, Pixels } from '../../shared/schema/photos/photo.ts';

const PhotoEntry = Closed({
  kind: Type.Literal('photo'),
  /** The recording sessions in which it was taken. */
  sessions: Type.Array(Type.String()),
  content_type: PhotoType,
  bytes: PhotoBytes,
  width: Pixels,
  height: Pixels,
  taken_at: Instant,
  /**
   * `taken`: no finished recording refers to it yet. `refused`: the server does not take it. `lost`: this device lost its
   * bytes before the server had them.
   */
  state: Type.Enum(['taken', 'unsent', 'stored', 'refused', 'lost']),
  /** True once the server has its thumbnail. */
  is_declared: Type.Boolean(),
  /** True if a person said that it is to be sent whatever the policy says. */
  sends_anyway: Type.Boolean(),
  /** When the server said that it has the photo, by this device's clock. */
  stored_at: Nullable(Instant),
  /** Why the server refused it, or refused it once. */
  problem: Nullable(Type.Unsafe<Problem>(Type.Object({}, { additionalProperties: true }))),
});
export type PhotoEntry = Static<typeof PhotoEntry>;

export const PhotoSettings = Closed({
  kind: Type.Literal('settings'),
  /** When photos are sent: always, on networks that are not metered, or when a person says so. */
  policy: Type.Enum(['always', 'wifi', 'ask']),
  /** The epoch of the server that has the stored photos; null before the first one. */
  epoch: Nullable(Type.String()),
});
export type PhotoSettings = Static<typeof PhotoSettings>;
export type PhotoPolicy = PhotoSettings['policy'];

/** Why the server takes no photos for now. */
const PhotoHold = Closed({
  kind: Type.Literal('hold'),
  by: Type.Enum(['quota', 'server']),
  /** When the device asks again, by its own clock. */
  until: Instant,
});
export type PhotoHold = Static<typeof PhotoHold>;

export const PhotoBody = Type.Union([PhotoEntry, PhotoSettings, PhotoHold]);
export type PhotoBody = Static<typeof PhotoBody>;

/** The bytes of one file, in base64. */
export const PhotoBytesBody = Closed({
  kind: Type.Literal('bytes'),
  content_type: Type.String(),
  base64: Type.String(),
});
export type PhotoBytesBody = Static<typeof PhotoBytesBody>;
