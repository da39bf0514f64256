/** The meanings of the problems of maps, stages, runs and recordings. */
import type { ProblemCode } from '../problem.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const recordProblemMeanings = {
  map_cap_reached: {
    meaning: 'The plan allows no more maps. Creating, restoring and recording a new map all count.',
    remedy:
      'Delete a map, or change the plan. The recording session was not used up: it may be sent again, in a push under a new `seq`.',
    detail: 'The free plan allows 2 maps.',
    members: { limit: 2, plan: 'free' },
  },
  storage_limit_reached: {
    meaning: 'The maps and runs of the account take as many bytes as its plan stores.',
    remedy:
      'Delete runs that are not needed, or change the plan. The same request may be sent again, in a push under a new `seq`.',
    detail: 'The free plan stores 256 MiB, and all are taken. Delete runs, or change the plan.',
    members: { limit_bytes: 268_435_456, plan: 'free' },
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
  precondition_failed: {
    meaning: 'The record changed since the ETag in `If-Match` was read.',
    remedy: 'Fetch it, decide again, and send the new ETag.',
    detail: 'The map is at "018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42-9" now; fetch it and decide again.',
    members: { etag: '"018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42-9"' },
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
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;
