import type { MutationName } from '../schema/mutation.ts';

/**
 * Says which runs the rule of a mutation reads: the run that its args name, the run of its recording session, or none.
 * `session_or_map`: if that run is not loaded, the map that the first upload made shows a repetition, too.
 */
type RunsRead = 'run' | 'session' | 'session_or_map' | 'none';

/** The compiler checks `none`: the state that such a rule gets has no methods for runs (see `Rule`). */
export const runsReadBy = {
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
  update_run: 'run',
  correct_run: 'run',
  delete_run: 'run',
} as const satisfies Record<MutationName, RunsRead>;
