/** Describes the HTTP headers of requests and responses for the API document. */
import { Type, type TSchema } from 'typebox';
import { RecordingSessionId } from '../schema/fields.ts';

interface ResponseHeader {
  description: string;
  schema: TSchema;
  example: string | number;
}

const TextSchema = Type.String();

/** The headers of responses, by their names. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      "Names the request in the logs; the caller's own is kept when it is 1-128 characters of A-Z a-z 0-9 . _ -",
    schema: TextSchema,
    example: '0198b0c4-7f00-7a1e-b5f2-2d9c4e6a8b01',
  },
  RateLimit: {
    description: 'The remaining quota, `r`, and the seconds until it is full again, `t`.',
    schema: TextSchema,
    example: '"default";r=598;t=42',
  },
  'RateLimit-Policy': {
    description: 'The quota, `q` requests in a window of `w` seconds.',
    schema: TextSchema,
    example: '"default";q=600;w=60',
  },
  ETag: {
    description: 'The version of the record, a strong validator for `If-None-Match` and `If-Match`.',
    schema: TextSchema,
    example: '"018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42-9"',
  },
  Link: {
    description: 'The next page, `rel="next"`, while there is one.',
    schema: TextSchema,
    example: '</api/v1/maps?limit=2&cursor=MTIuM2Y5YTAxYjc>; rel="next"',
  },
  'Gemba-Next-Cursor': {
    description:
      'Where the next page begins, for the parameter `page`, and for `cursor` of a pull; absent on the last page.',
    schema: TextSchema,
    example: 'MTcuMA',
  },
  'Gemba-Receipt': {
    description:
      'The receipt of a sealed push whose numbers are all answered; absent for anything else. The carrier shows it, and a person types it into the device.',
    schema: TextSchema,
    example: '7K3M-Q9TX',
  },
  Location: {
    description: 'The path of the created record.',
    schema: Type.String({ format: 'uri-reference' }),
    example: '/api/v1/maps/018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42',
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: TextSchema,
    example: 'attachment; filename="steps.csv"',
  },
  'Tus-Resumable': {
    description: 'The version of tus that the server speaks.',
    schema: TextSchema,
    example: '1.0.0',
  },
  'Upload-Offset': {
    description: 'How many bytes of the upload have arrived.',
    schema: Type.Integer({ minimum: 0 }),
    example: 1_048_576,
  },
  'Upload-Length': {
    description: 'How many bytes the photo has.',
    schema: Type.Integer({ minimum: 1 }),
    example: 1_482_130,
  },
  'Upload-Expires': {
    description: 'When the upload ends by itself if no more bytes come; absent once the photo is stored.',
    schema: TextSchema,
    example: 'Fri, 11 Dec 2026 09:30:00 GMT',
  },
  'Content-Range': {
    description: 'The first and the last byte of the part, and how many the photo has.',
    schema: TextSchema,
    example: 'bytes 0-1023/48213',
  },
  'Idempotency-Replayed': {
    description: 'Present if the request was processed before and this is its first response again.',
    schema: Type.Enum(['true']),
    example: 'true',
  },
  Deprecation: {
    description:
      'The request used `value_add`, deprecated at this time (RFC 9745). A `Link` with `rel="deprecation"` leads to what replaces it.',
    schema: TextSchema,
    example: '@1775001600',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: Type.Integer({ minimum: 0 }),
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'The kind of token that is required.',
    schema: TextSchema,
    example: 'Bearer',
  },
} satisfies Record<string, ResponseHeader>;

export type ResponseHeaderName = keyof typeof responseHeaders;

/** Every response has these headers. */
export const commonResponseHeaders: ResponseHeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** The headers of requests, by their parameter names in the API document. */
export const requestHeaders = {
  IfNoneMatch: {
    name: 'If-None-Match',
    description: 'The ETag of your copy. If the record has not changed since, the response is 304 without a body.',
    schema: TextSchema,
    required: false,
  },
  IfMatch: {
    name: 'If-Match',
    description: 'The ETag on which the change is based. If the map has changed since, the response is 412.',
    schema: TextSchema,
    required: false,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'Your own name for this request, 1 to 255 printable ASCII characters. The same request under the same key is done once and answered again for at least 72 hours.',
    schema: TextSchema,
    required: false,
  },
  RecordingIdempotencyKey: {
    name: 'Idempotency-Key',
    description: 'The `recording_session_id`, when it is not in the body. Both have to be the same.',
    schema: RecordingSessionId,
    required: false,
  },
  TusResumable: {
    name: 'Tus-Resumable',
    description: 'The version of tus that the client speaks: 1.0.0.',
    schema: TextSchema,
    required: true,
  },
  UploadOffset: {
    name: 'Upload-Offset',
    description: 'Where the bytes of the body begin in the photo: the offset that the server told last.',
    schema: Type.Integer({ minimum: 0 }),
    required: true,
  },
  Range: {
    name: 'Range',
    description:
      'The requested range, such as `bytes=0-1023`. For more than one range, the response is the whole photo.',
    schema: TextSchema,
    required: false,
  },
  GembaProtocol: {
    name: 'Gemba-Protocol',
    description: 'The version of the sync protocol that the client speaks: 1.',
    schema: Type.Integer({ minimum: 1 }),
    required: true,
  },
  GembaDevice: {
    name: 'Gemba-Device',
    description:
      'What the device says about itself, a dictionary (RFC 9651): `pending`, `oldest` in seconds, `attention`, `battery` and `storage` from 0.0 to 1.0, `second_copy`, `platform`, `app`. What is unknown or malformed is ignored.',
    schema: TextSchema,
    required: false,
  },
} satisfies Record<string, { name: string; description: string; schema: TSchema; required: boolean }>;

export type RequestHeaderName = keyof typeof requestHeaders;
