import type { MutationName } from '../schema/mutation.ts';

/**
 * A rule reads of the runs: the run itself; the recording session alone; the session or the map that it made; nothing.
 * A device that has not read its runs, or pulls none, asks here before it replays a mutation.
 */
export type RunsRead = 'run' | 'session' | 'session_or_map' | 'none';

/** `Rule` gives a rule with `none` no runs to read, so that the table cannot be wrong about it. */
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
