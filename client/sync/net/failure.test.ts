import { expect, test } from 'vitest';
import { problemKinds, problemOf, type CommonProblemCode } from '../../../shared/protocol/problem.ts';
import { failureOfProblem } from './failure.ts';

/** The problem codes with a failure kind of their own. All others make the sync wait. */
const expected: Partial<Record<CommonProblemCode, string>> = {
  sequence_gap: 'gap',
  sequence_reused: 'reused',
  payload_too_large: 'too_large',
  malformed_request: 'blocked',
  malformed_json: 'blocked',
  protocol_missing: 'blocked',
  unauthorized: 'blocked',
  pairing_code_invalid: 'blocked',
  forbidden: 'blocked',
  account_mismatch: 'blocked',
  map_cap_reached: 'blocked',
  storage_limit_reached: 'blocked',
  seat_limit_reached: 'blocked',
  not_found: 'blocked',
  map_not_found: 'blocked',
  stage_not_found: 'blocked',
  run_not_found: 'blocked',
  device_not_found: 'blocked',
  key_not_found: 'blocked',
  method_not_allowed: 'blocked',
  unsupported_media_type: 'blocked',
  validation_failed: 'blocked',
  stage_ids_mismatch: 'blocked',
  recording_session_mismatch: 'blocked',
  idempotency_key_mismatch: 'blocked',
  protocol_too_old: 'blocked',
  relay_malformed: 'blocked',
  relay_key_unknown: 'blocked',
};

test.each(Object.keys(problemKinds) as CommonProblemCode[])(
  '[SYNC-3] [SYNC-5] what the sync makes of the problem %s',
  (code) => {
    const failure = failureOfProblem(problemOf({ code, detail: '' }), 1_000);
    expect(failure.kind).toBe(expected[code] ?? 'busy');
    if (failure.kind === 'busy') expect(failure.retryAfterMs).toBe(1_000);
  },
);

test('[SYNC-52] a client id of another owner is told apart from a gap and from other refusals', () => {
  const kindOf = (code: CommonProblemCode, members: Record<string, unknown>) =>
    failureOfProblem(problemOf({ code, detail: '', members }), null).kind;
  expect(kindOf('forbidden', { client_id: '9b2d4a50-7c1e-4e0b-8f57-2f1f6a3c9d42' })).toBe('other_owner');
  expect(kindOf('forbidden', {})).toBe('blocked');
  expect(kindOf('sequence_gap', { expected_seq: 2 })).toBe('gap');
});
