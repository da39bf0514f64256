/** Lists how the rule of each mutation finds the run that it reads, and tells which mutations upload a recording. */
import type { MutationName } from '../schema/mutation.ts';

/**
 * How the rule of a mutation finds the run that it reads: by the run id in the args, or by the recording session. With
 * `session_or_map`, an existing map with the id in the args also shows that the upload is repeated.
 */
type RunLookup = 'run' | 'session' | 'session_or_map' | 'none';

/** A rule with `none` gets a state without methods for runs. If the rule reads a run, it does not compile. */
export const runLookups = {
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
} as const satisfies Record<MutationName, RunLookup>;

/** Returns true for the upload of a recording. No other mutation has a recording session. */
export const isRecordingUpload = ({ name }: { name: MutationName }): boolean =>
  name === 'upload_recording' || name === 'record_new_map';
