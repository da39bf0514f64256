import type { MutationName } from '../schema/mutation.ts';

/**
 * Which runs a rule reads: the run itself, the run of the recording session, that run or the new map, or none. A device
 * that has not loaded its runs, or pulls none, checks this before it replays a mutation.
 */
export type RunsRead = 'run' | 'session' | 'session_or_map' | 'none';

/** The types enforce `none`: the state of such a rule has no runs (see `Rule`). */
export const runsRead = {
  create_map: 'none',
  update_map: 'none',
  delete_map: 'none',
  restore_map: 'none',
  add_stage: 'none',
  update_stage: 'none',
  delete_stage: 'none',
  reorder_stages: 'none',
  upload_recording: 'session',
  record_new_map: 'session_or_map',
  delete_run: 'run',
} as const satisfies Record<MutationName, RunsRead>;
