/** Explains each problem code to the developers of clients. The API document and its reference page show these texts. */
import type { ProblemCode } from './problem.ts';
import type { FieldError } from '../schema/field-errors.ts';

interface ProblemMeaning {
  meaning: string;
  remedy: string;
  /** The `detail` of an example problem. */
  detail: string;
  errors?: FieldError[];
  members?: Record<string, unknown>;
}

export const problemMeanings: Record<ProblemCode, ProblemMeaning> = {
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
  protocol_missing: {
    meaning: 'The sync request has no `Gemba-Protocol` header.',
    remedy: 'Send the header `Gemba-Protocol: 1` with each sync request.',
    detail: 'Send the header Gemba-Protocol: 1 with each sync request.',
  },
  unauthorized: {
    meaning: 'There is no token, or it is unknown, revoked or expired.',
    remedy: 'Send `Authorization: Bearer <token>` with a token that is valid.',
    detail: 'The token is unknown, revoked or expired.',
  },
  pairing_code_invalid: {
    meaning: 'The pairing code is wrong, used or expired. The server does not say which.',
    remedy: 'Make a new code and type it.',
    detail: 'The pairing code is wrong, used or expired. Ask for a new one and type it as it is shown.',
  },
  forbidden: {
    meaning: 'The token lacks the scope, or a `client_id` belongs to someone else.',
    remedy: 'Use a token with one of the named scopes. The work of a named client can be pushed with `carried`.',
    detail: 'This needs a token with the scope write.',
    members: { scopes: ['write'] },
  },
  account_mismatch: {
    meaning:
      'The `account_id` of a request is not that of its token, or of its pairing code. Nothing was taken, given or used up.',
    remedy: "Use a token or a code of the device's account, or begin an empty device for the other one.",
    detail: 'This device holds the work of another account than this token is for.',
  },
  map_cap_reached: {
    meaning: 'The plan allows no more maps. Creating, restoring and recording a new map all count.',
    remedy: 'Delete a map, or change the plan. Nothing was used up: the same recording may be sent again.',
    detail: 'The free plan allows 2 maps.',
    members: { limit: 2, plan: 'free' },
  },
  storage_limit_reached: {
    meaning: 'The maps and runs of the account take as many bytes as its plan stores.',
    remedy:
      'Delete runs that are not needed, or change the plan. Nothing was used up: the same request may be sent again.',
    detail: 'The free plan stores 256 MiB, and all are taken. Delete runs, or change the plan.',
    members: { limit_bytes: 268_435_456, plan: 'free' },
  },
  seat_limit_reached: {
    meaning: 'The plan allows no more paired phones.',
    remedy: 'Revoke a phone that is not needed, or take more seats.',
    detail: 'The plan allows 6 paired phones.',
    members: { limit: 6, plan: 'team' },
  },
  not_found: {
    meaning: 'There is no such route, or no such record of an operator.',
    remedy: 'Check the path against this reference.',
    detail: 'There is no route /api/v1/map.',
  },
  map_not_found: {
    meaning: "There is no such map for this token. Another account's map looks exactly the same.",
    remedy: 'Check the id and whose token it is.',
    detail: 'There is no map 0198b0c4-5e1a-7c3d-9f00-0123456789ab.',
  },
  stage_not_found: {
    meaning: 'The map has no such stage.',
    remedy: 'List the stages of the map.',
    detail: 'The map has no stage 17.',
  },
  run_not_found: {
    meaning: "There is no such run for this token, or it was deleted. Another account's run looks exactly the same.",
    remedy: 'List the runs of the map. A comparison names the `missing` ones.',
    detail: 'There is no run 17.',
  },
  device_not_found: {
    meaning: 'There is no such device for this token.',
    remedy: 'List the devices.',
    detail: 'There is no device 4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30.',
  },
  key_not_found: {
    meaning: 'There is no such API key for this token.',
    remedy: 'List the keys.',
    detail: 'There is no key 018f9e4a-6c01-7d9b-8e12-4f5a6b7c8d9e.',
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
  map_deleted: {
    meaning: 'The map is in the recycle bin. Reading it is 404, writing to it 409.',
    remedy: 'Restore the map first.',
    detail: 'The map "Order to delivery" is in the recycle bin; restore it to read it.',
  },
  id_taken: {
    meaning: 'An id that the client made belongs to another record.',
    remedy: 'Generate a new id.',
    detail: 'Another map has the id 018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42.',
  },
  last_admin_key: {
    meaning: 'The key is the last one that can administer the account.',
    remedy: 'Make another key with the scope `admin` first.',
    detail: 'This is the last key with the scope admin. Make another one first, then revoke this one with it.',
  },
  key_limit_reached: {
    meaning: 'The account has 100 API keys that are not revoked.',
    remedy: 'Revoke one that is not needed. Nothing was used up: the same request may be sent again.',
    detail: 'The account has 100 API keys, as many as it may; revoke one first.',
    members: { limit: 100 },
  },
  sequence_gap: {
    meaning: 'A push leaves out mutations that the server has not seen.',
    remedy: 'Push from `expected_seq` on.',
    detail: 'The next mutation of this client is 4.',
    members: { expected_seq: 4 },
  },
  sequence_reused: {
    meaning:
      'The server has other work under numbers of this client, or more than `offered_seq`: a copy of the client, or an earlier state of it, gave them.',
    remedy: 'Push what is behind `agreed_seq` under a new `client_id`. Nothing was applied.',
    detail:
      'This client is at 7 here, and from 5 on its numbers stand for other work: a copy of the device, or an earlier state of it, gave them; nothing was applied.',
    members: { last_seq: 7, agreed_seq: 4 },
  },
  acknowledge_first: {
    meaning:
      'More than 10,000 rejected mutations of the device, or 50,000 of its account, are unacknowledged, or more than 200,000 answers of the device, 500,000 of its account.',
    remedy: 'Send the `acked_seq` up to which the answers have arrived.',
    detail: '10001 rejections wait to be acknowledged by acked_seq; nothing was applied.',
    members: { unacknowledged: 10_001 },
  },
  client_limit_reached: {
    meaning:
      'A device, or the API keys of an account together, may push under 1,000 `client_id`s, an account under 20,000.',
    remedy: 'Use a `client_id` that pushed before.',
    detail: 'There are 1000 sync clients already, as many as there may be; nothing was applied.',
    members: { limit: 1_000 },
  },
  withdrawn: {
    meaning: 'The device withdrew the mutation of this number and sent a `noop` in its place.',
    remedy: 'Nothing: the number is used up, as the device wanted.',
    detail: 'The device withdrew this mutation: its number is used up, and nothing was changed.',
  },
  precondition_failed: {
    meaning: 'The record changed since the ETag in `If-Match` was read.',
    remedy: 'Fetch it, decide again, and send the new ETag.',
    detail: 'The map is at "018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42-9" now; fetch it and decide again.',
    members: { etag: '"018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42-9"' },
  },
  payload_too_large: {
    meaning: 'The body, inflated, has more bytes than the route takes: 1 MiB, a push 8 MiB, pairing 4 KiB.',
    remedy: 'Send less in one request.',
    detail: 'The body may have 1048576 bytes.',
    members: { bytes_max: 1_048_576 },
  },
  unsupported_media_type: {
    meaning: 'There is a body, but not as JSON, or compressed where or as it may not be.',
    remedy: 'Send `Content-Type: application/json`, and pairing without `Content-Encoding`.',
    detail: 'Send the body as application/json in UTF-8, not as text/plain.',
  },
  validation_failed: {
    meaning: 'The body, the query or a header breaks the schema. `errors` names the fields, up to a hundred.',
    remedy: 'Correct the fields. Unknown ones are refused so that a typo is not lost silently.',
    detail: 'One field is not as it should be.',
    errors: [{ path: '/steps/3/duration_secs', message: 'must be a number of seconds from 0 to 31536000' }],
  },
  stage_ids_mismatch: {
    meaning: 'A reorder must name every stage of the map once.',
    remedy: 'List the stages and send all of their ids.',
    detail: 'stage_ids must name each stage of the map once.',
  },
  recording_session_mismatch: {
    meaning: 'The recording session was used before, with other steps or another target. Nothing was changed.',
    remedy: 'Use a new session id for a new recording.',
    detail: 'The recording session walk-2026-07-01-a was used with other steps.',
  },
  idempotency_key_mismatch: {
    meaning: 'The idempotency key was used before, with another request. Nothing was changed.',
    remedy: 'Use a new key for a new request.',
    detail: 'The idempotency key 5f0c2b1e was used with another request.',
  },
  protocol_too_old: {
    meaning: 'The client speaks a sync protocol that this server no longer takes.',
    remedy: 'Update the app. Its unsent work stays on the device.',
    detail: 'This server speaks protocol 2 and newer. Update the app; what it queued stays on the device.',
    members: { protocol_version_min: 2, protocol_version: 2 },
  },
  pairing_code_limit_reached: {
    meaning: 'The account has 100 pairing codes of the last ten minutes that no device used.',
    remedy: 'Use one of them, or wait for the seconds in `Retry-After`. Nothing was used up.',
    detail: 'The account has 100 pairing codes that no device used, as many as it may; use one, or wait 540 s.',
    members: { limit: 100, retry_after_secs: 540 },
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
  too_many_streams: {
    meaning: 'The account has 1,000 event streams open at this server process, the device 20, or the API key 100.',
    remedy:
      'End some: a device needs one. Try again after the seconds in `Retry-After`; until then, pull now and then.',
    detail: 'The account has 1000 event streams open, as many as it may.',
    members: { limit: 1_000, retry_after_secs: 60 },
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
};
