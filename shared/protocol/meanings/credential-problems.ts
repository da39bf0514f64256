/** The meanings of the problems of tokens, keys, devices and pairing codes. */
import type { ProblemCode } from '../problem.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const credentialProblemMeanings = {
  unauthorized: {
    meaning: 'There is no token, or it is unknown or revoked.',
    remedy: 'Send `Authorization: Bearer <token>` with a token that is valid.',
    detail: 'The token is unknown or revoked.',
  },
  forbidden: {
    meaning: 'The token lacks the scope, or a `client_id` belongs to someone else.',
    remedy: 'Use a token with one of the named scopes. The work of a named client can be pushed with `carried`.',
    detail: 'This needs a token with the scope write.',
    members: { scopes: ['write'] },
  },
  pairing_code_invalid: {
    meaning: 'The pairing code is wrong, used or expired. The server does not say which.',
    remedy: 'Make a new code and type it.',
    detail: 'The pairing code is wrong, used or expired. Ask for a new one and type it as it is shown.',
  },
  seat_limit_reached: {
    meaning: 'The plan allows no more paired phones.',
    remedy: 'Revoke a phone that is not needed, or take more seats.',
    detail: 'The plan allows 6 paired phones.',
    members: { limit: 6, plan: 'team' },
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
  pairing_code_limit_reached: {
    meaning: 'The account has 100 pairing codes of the last ten minutes that no device used.',
    remedy: 'Use one of them, or wait for the seconds in `Retry-After`. Nothing was used up.',
    detail: 'The account has 100 pairing codes that no device used, as many as it may; use one, or wait 540 s.',
    members: { limit: 100, retry_after_secs: 540 },
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;
