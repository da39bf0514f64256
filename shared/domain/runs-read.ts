/** Lists which runs the rule of each mutation reads, and tells which mutations upload a recording. */
import type { MutationName } from '../schema/mutation.ts';

/**
 * The run that the rule of a mutation reads: the run in the args, the run of the recording session, or none. With
 * `session_or_map`, an existing map also shows that the upload is a repetition.
 */
type RunsRead = 'run' | 'session' | 'session_or_map' | 'none';

/** With `none`, `MutationRule` gives the rule a state without methods for runs, so a wrong `none` does not compile. */
export const runsReadBy = {
  create_map: 'none',
  update_map: 'none',
  delete_map: 'none',
  restore_map: 'none',
  add_stage: 'none',
  update_stage: 'none',
  delete_stage: 'none',
  reorder_stages: 'none',
  replace_stages: 'none',
  upload_recording: 'session',
  record_new_map: 'session_or_map',
  update_run: 'run',
  correct_run: 'run',
  delete_run: 'run',
} as const satisfies Record<MutationName, RunsRead>;

/** Returns true for the upload of a recording. No other mutation has a recording session. */
export const isRecordingUpload = ({ name }: { name: MutationName }): boolean =>
  name === 'upload_recording' || name === 'record_new_map';
