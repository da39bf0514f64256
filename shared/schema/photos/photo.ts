/** Photos: their declaration by a client, and the state of their upload. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, Nullable } from '../fields.ts';
import { thumbnailBytesMax } from '../limits.ts';
import { photoTypes } from './photo-types.ts';

export const photoBytesMax = 8 * 1024 * 1024;
export const photoSidePixelsMax = 12_000;
export const photoChunkBytesMax = 1024 * 1024;

/** `sha256:` and the SHA-256 of the bytes in lower-case hex. */
export const PhotoId = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  expected: 'sha256: and 64 lower-case hexadecimal digits',
});

export const PhotoType = Type.Enum([...photoTypes], { expected: `one of ${photoTypes.join(', ')}` });
export const Pixels = Type.Integer({
  minimum: 1,
  maximum: photoSidePixelsMax,
  expected: `an integer from 1 to ${photoSidePixelsMax}`,
});
export const PhotoBytes = Type.Integer({
  minimum: 1,
  maximum: photoBytesMax,
  expected: `an integer from 1 to ${photoBytesMax}`,
});
const thumbnailCharsMax = Math.ceil(thumbnailBytesMax / 3) * 4;

/** The body of `POST /photos`. */
export const NewPhotoBody = Closed(
  {
    id: Described(PhotoId, 'The SHA-256 of the bytes that will be uploaded.'),
    bytes: Described(PhotoBytes, 'How many bytes the photo has.'),
    content_type: Described(PhotoType, 'The media type of the photo.'),
    width: Described(Pixels, 'In pixels. Width times height is at most 50 million.'),
    height: Described(Pixels, 'In pixels.'),
    thumbnail: Described(
      Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          maxLength: thumbnailCharsMax,
          expected: `base64 of at most ${thumbnailBytesMax} bytes`,
        }),
      ),
      'A small JPEG or WebP of the photo without metadata, at most 24 KiB, in base64. It can be read before all bytes of the photo have arrived.',
    ),
  },
  { title: 'NewPhoto', description: 'A photo whose bytes will be uploaded.' },
);
export type NewPhotoBody = Static<typeof NewPhotoBody>;

export const PhotoUpload = Closed(
  {
    id: Described(PhotoId, 'The photo.'),
    status: Described(Type.Enum(['uploading', 'stored']), '`uploading` while bytes are missing, then `stored`.'),
    upload_url: Described(
      Type.String({ format: 'uri-reference' }),
      'The address of the tus 1.0 upload: `HEAD` returns the offset, `PATCH` appends bytes, `DELETE` ends the upload.',
    ),
    offset: Described(Type.Integer({ minimum: 0 }), 'How many bytes have arrived.'),
    chunk_bytes_max: Described(Type.Integer({ minimum: 1 }), 'The maximum number of bytes in one `PATCH`.'),
    expires_at: Described(
      Nullable(Instant),
      'When the upload ends by itself if no more bytes come. null once the photo is stored.',
    ),
  },
  { title: 'PhotoUpload', description: 'The state of the upload of a photo.' },
);
export type PhotoUpload = Static<typeof PhotoUpload>;
