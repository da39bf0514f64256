/**
 * Problems: RFC 9457 bodies with a stable `code`. `problemKinds` has the status and the title of each code, except the
 * codes of photos and of the routes for other systems, which the folder problems/ has.
 */
import type { Static } from 'typebox';
import type { FieldError } from '../schema/field-errors.ts';
import type { ProblemBody } from '../schema/problem-body.ts';
import type { IntegrationProblemCode } from './problems/integration-problem-kinds.ts';
import type { PhotoProblemCode } from './problems/photo-problem-kinds.ts';
import type { ProblemKind } from './problems/problem-kind.ts';

export const problemKinds = {
  malformed_request: { status: 400, title: 'The request is not HTTP/1.1' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  relay_malformed: { status: 400, title: 'The body is not sealed' },
  protocol_missing: { status: 400, title: 'The Gemba-Protocol header is missing' },
  unauthorized: { status: 401, title: 'No valid token' },
  pairing_code_invalid: { status: 401, title: 'No valid pairing code' },
  forbidden: { status: 403, title: 'Not allowed with this token' },
  account_mismatch: { status: 403, title: 'The device holds the work of another account' },
  map_cap_reached: { status: 403, title: 'The plan allows no more maps' },
  storage_limit_reached: { status: 403, title: 'The plan stores no more' },
  seat_limit_reached: { status: 403, title: 'The plan allows no more phones' },
  not_found: { status: 404, title: 'No such route' },
  map_not_found: { status: 404, title: 'No such map' },
  stage_not_found: { status: 404, title: 'No such stage' },
  run_not_found: { status: 404, title: 'No such run' },
  device_not_found: { status: 404, title: 'No such device' },
  key_not_found: { status: 404, title: 'No such key' },
  method_not_allowed: { status: 405, title: 'The route does not take this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  map_deleted: { status: 409, title: 'The map is in the recycle bin' },
  id_taken: { status: 409, title: 'Another record has this id' },
  last_admin_key: { status: 409, title: 'The account would have no key with the scope admin' },
  key_limit_reached: { status: 409, title: 'The account has as many API keys as it may' },
  sequence_gap: { status: 409, title: 'The sequence of mutations has a gap' },
  sequence_reused: { status: 409, title: 'The numbers of the mutations were given before' },
  acknowledge_first: { status: 409, title: 'Too many answers are unacknowledged' },
  client_limit_reached: { status: 409, title: 'There are as many sync clients as there may be' },
  withdrawn: { status: 410, title: 'The mutation was withdrawn' },
  precondition_failed: { status: 412, title: 'The record changed meanwhile' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not of this type' },
  validation_failed: { status: 422, title: 'The request does not fit the schema' },
  relay_key_unknown: { status: 422, title: 'No such key' },
  stage_ids_mismatch: { status: 422, title: "stage_ids is not a permutation of the map's stages" },
  recording_session_mismatch: { status: 422, title: 'The recording session was used with another payload or target' },
  idempotency_key_mismatch: { status: 422, title: 'The idempotency key was used with another request' },
  protocol_too_old: { status: 426, title: 'The client is too old for this server' },
  too_many_streams: { status: 429, title: 'The account has too many event streams' },
  pairing_code_limit_reached: { status: 429, title: 'The account has too many unused pairing codes' },
  idempotency_limit_reached: { status: 429, title: 'Too many idempotency keys are remembered' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'The server failed' },
  unavailable: { status: 503, title: 'The service cannot answer now' },
} as const satisfies Record<string, ProblemKind>;

export type CommonProblemCode = keyof typeof problemKinds;
export type ProblemCode = CommonProblemCode | PhotoProblemCode | IntegrationProblemCode;

/** An expected failure as a value. `members` become the problem's extension members (RFC 9457, 3.2). */
export interface Refusal {
  code: ProblemCode;
  detail: string;
  errors?: FieldError[];
  members?: Record<string, unknown>;
}

/** The body of an error response. `request_id` is absent if the problem is part of a sync answer. */
export interface Problem extends Static<typeof ProblemBody> {
  code: ProblemCode;
  [member: string]: unknown;
}

/**
 * Builds the problem body of a refusal. Pass `status` only for a code with two statuses, such as `map_deleted`, which
 * is 404 on GET.
 */
export const problemOf = (refusal: Refusal & { code: CommonProblemCode }, status?: number): Problem =>
  problemOfKind(problemKinds[refusal.code], refusal, status);

export function problemOfKind(kind: ProblemKind, refusal: Refusal, status = kind.status): Problem {
  return {
    type: problemTypeOf(refusal.code),
    title: kind.title,
    status,
    detail: refusal.detail,
    code: refusal.code,
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    ...refusal.members,
  };
}

export const problemTypeOf = (code: string): string => `/docs#${code}`;
