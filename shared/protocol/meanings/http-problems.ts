/** The meanings of the problems that any request can have. */
import type { ProblemCode } from '../problem.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const httpProblemMeanings = {
  malformed_request: {
    meaning: 'The bytes are not an HTTP/1.1 request with a `Host` header.',
    remedy: 'Use a standards-compliant HTTP client.',
    detail: 'This is not HTTP/1.1 (RFC 9112).',
  },
  malformed_json: {
    meaning: 'The body cannot be parsed as JSON in UTF-8.',
    remedy: 'Send JSON in UTF-8, as a JSON serializer writes it.',
    detail: 'The body is not JSON in UTF-8.',
  },
  not_found: {
    meaning: 'There is no such route, or no such record of an operator.',
    remedy: 'Check the path against this reference.',
    detail: 'There is no route /api/v1/map.',
  },
  method_not_allowed: {
    meaning: 'The route exists, but not for this method.',
    remedy: 'The header `Allow` names those that it takes.',
    detail: 'PUT is not for this route; GET, POST, HEAD, OPTIONS are.',
  },
  request_timeout: {
    meaning: 'The headers or the body took too long to arrive.',
    remedy: 'Send the request again with the same idempotency key.',
    detail: 'The request did not arrive in time.',
  },
  payload_too_large: {
    meaning:
      'The body, inflated, has more bytes than the route takes: 1 MiB, a push 8 MiB, a sealed request 1,088 KiB, pairing 4 KiB.',
    remedy: 'Send less in one request.',
    detail: 'The body may have 1048576 bytes.',
    members: { bytes_max: 1_048_576 },
  },
  unsupported_media_type: {
    meaning: 'There is a body, but not of the type that the route takes, or compressed where or as it may not be.',
    remedy:
      'Send `Content-Type: application/json`, a sealed request as `message/ohttp-req`, and pairing without `Content-Encoding`.',
    detail: 'Send the body as application/json in UTF-8, not as text/plain.',
  },
  validation_failed: {
    meaning: 'The body, the query or a header breaks the schema. `errors` names the fields, up to a hundred.',
    remedy: 'Correct the fields. Unknown ones are refused so that a typo is not lost silently.',
    detail: 'One field is not as it should be.',
    errors: [{ path: '/steps/3/duration_secs', message: 'must be a number of seconds from 0 to 31536000' }],
  },
  idempotency_key_mismatch: {
    meaning: 'The idempotency key was used before, with another request. Nothing was changed.',
    remedy: 'Use a new key for a new request.',
    detail: 'The idempotency key 5f0c2b1e was used with another request.',
  },
  idempotency_limit_reached: {
    meaning:
      'The account has 200,000 idempotency keys, or 256 MiB of answers, of the last 72 hours. Nothing was changed.',
    remedy: 'Send it again without a key, or after the seconds in `Retry-After`.',
    detail: 'The account has as many idempotency keys of the last 72 hours as are remembered; nothing was changed.',
    members: { retry_after_secs: 3_600 },
  },
  rate_limited: {
    meaning:
      'The token, or without one the address, sent more requests than its quota, or holds more memory with requests under way than it may.',
    remedy: 'Wait for the seconds in `Retry-After`. `RateLimit` tells on every answer what is left.',
    detail: 'The quota of 600 requests a minute is used up.',
  },
  headers_too_large: {
    meaning: 'The headers, the path and the query among them, have more bytes than the server takes.',
    remedy: 'Send fewer or shorter headers.',
    detail: 'The headers may have 65536 bytes.',
  },
  internal_error: {
    meaning: 'The server failed because of a bug in it.',
    remedy: 'Report the `request_id`.',
    detail: 'The server failed at this request; it was not your doing.',
  },
  unavailable: {
    meaning: 'The store is down, or the server is starting, draining or out of memory for requests.',
    remedy: 'Try again after the seconds in `Retry-After`, with the same idempotency key.',
    detail: 'The store cannot answer now; try again.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;
