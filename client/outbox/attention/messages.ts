/** Says in a sentence for the worker why a mutation was refused. */
import type { DomainRefusal } from '../../../shared/domain/state.ts';
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import type { ReturnedRunState } from '../model/dependents/returned-runs.ts';

type RejectionCode = DomainRefusal['code'] | 'storage_limit_reached' | 'forbidden';

interface MessageOptions {
  name: MutationName;
  error: Problem;
  /** The refused mutation on which this mutation depends. */
  cause?: { name: MutationName; args: Record<string, unknown> } | undefined;
  runState: ReturnedRunState | undefined;
}

export function messageOf({ name, error, cause, runState }: MessageOptions): string {
  const noun = nounOf(name);
  if (cause)
    return `${noun} waits for something that was not taken: ${lowerFirstLetter(nounOf(cause.name))}${quotedNameOf(cause)}. Solve that first; this goes along.`;
  const refusal = refusalOf(name, error);
  const reason = (runState && runStateSentences[runState]) ?? refusal;
  return `${noun} was not taken. ${reason}`;
}

function refusalOf(name: MutationName, error: Problem): string {
  // The run may be there again, such as after a restore of the server.
  if (name === 'delete_run' && error.code === 'run_not_found') return 'The server did not have its run.';
  return isRejectionCode(error.code) ? refusalSentences[error.code](error) : error.detail;
}

/** False for a code that only a newer server knows. The message then quotes the server's own `detail`. */
const isRejectionCode = (code: string): code is RejectionCode => Object.hasOwn(refusalSentences, code);

/** Returns a general noun for a mutation that only a newer version of the app knows. */
const nounOf = (name: MutationName): string => (mutationNouns[name] as string | undefined) ?? 'The change';

const mutationNouns: Record<MutationName, string> = {
  create_map: 'The new map',
  update_map: 'The change of the map',
  delete_map: 'The deletion of the map',
  restore_map: 'The restoring of the map',
  add_stage: 'The new stage',
  update_stage: 'The change of the stage',
  delete_stage: 'The deletion of the stage',
  reorder_stages: 'The new order of the stages',
  replace_stages: 'The new stages of the map',
  upload_recording: 'The recording',
  record_new_map: 'The recording of a new map',
  update_run: 'The change of the run',
  correct_run: 'The correction of the run',
  delete_run: 'The deletion of the run',
};

const runStateSentences: Record<ReturnedRunState, string | undefined> = {
  waiting: 'Its run was deleted, or the server lost it. This is sent by itself if the run comes back.',
  overtaken: 'Its run was changed meanwhile, and keeps that newer change.',
  unchanged: undefined,
  done: undefined,
};

const refusalSentences: Record<RejectionCode, (error: Problem) => string> = {
  map_not_found: () => 'Its map was deleted or never existed.',
  stage_not_found: () => 'Its stage was deleted or never existed.',
  run_not_found: () => 'Its run was deleted or never existed.',
  map_deleted: () => 'Its map is in the recycle bin.',
  map_cap_reached: ({ limit }) =>
    `Your plan includes ${typeof limit === 'number' ? limit : 'no more'} maps. Delete one, or ask your administrator to upgrade, then send it again.`,
  storage_limit_reached: () =>
    'The storage of your plan is full. Delete runs that are not needed, or ask your administrator to upgrade, then send it again.',
  stage_ids_mismatch: () => 'Stages were added or removed meanwhile.',
  id_taken: () => 'Its id is already in use.',
  recording_session_mismatch: () => 'Another recording was sent under its name.',
  validation_failed: ({ detail }) => `Something in it is not as it should be (${detail}).`,
  forbidden: () => 'This device may not do that.',
};

function quotedNameOf({ args }: { args: Record<string, unknown> }): string {
  const title = args['name'] ?? args['stage'];
  return typeof title === 'string' ? ` “${title.trim()}”` : '';
}

const lowerFirstLetter = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
