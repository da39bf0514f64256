/** The meanings of the problems of push, pull and the event stream. */
import type { ProblemCode } from '../problem.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const syncProblemMeanings = {
  protocol_missing: {
    meaning: 'The sync request has no `Gemba-Protocol` header.',
    remedy: 'Send the header `Gemba-Protocol: 1` with each sync request.',
    detail: 'Send the header Gemba-Protocol: 1 with each sync request.',
  },
  protocol_too_old: {
    meaning: 'The client speaks a sync protocol that this server no longer takes.',
    remedy: 'Update the app. Its unsent work stays on the device.',
    detail: 'This server speaks protocol 2 and newer. Update the app; unsent work stays on the device.',
    members: { protocol_version_min: 2, protocol_version: 2 },
  },
  relay_malformed: {
    meaning:
      'The body is no sealed request of Binary HTTP (RFC 9458, RFC 9292), or it was changed since it was sealed.',
    remedy: 'Drop it: its device hands its work over anew.',
    detail: 'This is no sealed request of Binary HTTP, or it was changed on the way.',
  },
  relay_key_unknown: {
    meaning: 'The request is sealed to a key that the server does not have, or removed 400 days after a newer one.',
    remedy: 'Drop it: its device needs the present keys of the server first.',
    detail: 'The server does not have the key to which this request is sealed. Its device needs the present keys.',
  },
  account_mismatch: {
    meaning:
      'The `account_id` of a request is not that of its token, or of its pairing code. Nothing was taken, given or used up.',
    remedy: "Use a token or a code of the device's account, or begin an empty device for the other one.",
    detail: 'This device holds the work of another account than this token is for.',
  },
  sequence_gap: {
    meaning: 'A push leaves out mutations that the server has not seen.',
    remedy: 'Push from `expected_seq` on.',
    detail: 'The next mutation of this client is 4.',
    members: { expected_seq: 4 },
  },
  sequence_reused: {
    meaning:
      'The server has other work under numbers of this client, or more than `offered_seq`: a copy of the client, or an earlier state of it, used them.',
    remedy:
      'Forward the rest of the sequence under its own `client_id` with `carried: true`, as the sync protocol describes. Nothing more was applied.',
    detail:
      'The server has mutations up to 7 of this client, and other ones from 5 on: a copy of the device, or an earlier state of it, used these numbers; nothing more was applied.',
    members: { last_seq: 7, agreed_seq: 4 },
  },
  acknowledge_first: {
    meaning:
      'More than 10,000 rejected mutations of the device, or 50,000 of its account, are unacknowledged, or more than 200,000 answers of the device, 500,000 of its account.',
    remedy: 'Send the `acked_seq` up to which the answers have arrived.',
    detail: '10001 rejections wait to be acknowledged by acked_seq; nothing more was applied.',
    members: { unacknowledged: 10_001 },
  },
  client_limit_reached: {
    meaning:
      'A device, or the API keys of an account together, may push under 1,000 `client_id`s, an account under 20,000.',
    remedy: 'Use a `client_id` that pushed before.',
    detail: 'There are 1000 sync clients already, as many as there may be; nothing more was applied.',
    members: { limit: 1_000 },
  },
  withdrawn: {
    meaning: 'The device withdrew the mutation of this number and sent a `noop` in its place.',
    remedy: 'Nothing: the number is used up, as the device wanted.',
    detail: 'The device withdrew this mutation: its number is used up, and nothing was changed.',
  },
  too_many_streams: {
    meaning: 'The account has 1,000 event streams open at this server process, the device 20, or the API key 100.',
    remedy:
      'End some: a device needs one. Try again after the seconds in `Retry-After`; until then, pull now and then.',
    detail: 'The account has 1000 event streams open, as many as it may.',
    members: { limit: 1_000, retry_after_secs: 60 },
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;
