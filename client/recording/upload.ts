import { toRunSteps } from '../../shared/domain/run.ts';
import type { MutationArgs } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { isoTime } from '../core/clock.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { NewMutation } from '../outbox/model/mutation.ts';
import type { FinishedTap, MutationBody } from '../storage/rows.ts';
import { recordingDigest } from '../core/hash.ts';
import { isStepOpen, stepsToUpload, type Draft } from './draft.ts';
import type { Finished } from './recording.ts';

export async function makeUploadMutation(draft: Draft, finished: FinishedTap, ids: IdGenerator): Promise<NewMutation> {
  const { recording_session_id, map_id, new_map_name, at } = draft.started;
  const { stages = 'replace', undo } = finished;
  const steps = stepsToUpload(draft, finished.at);
  const args = {
    map_id,
    recording_session_id,
    started_at: isoTime(at.wall_ms),
    steps,
    digest: await recordingDigest(steps),
    run_id: undo?.run_id ?? ids.integer(),
    stage_ids: ids.integers(steps.length),
    // Older servers do not know `stages`, so the default is left out.
    ...(stages === 'replace' ? {} : { stages }),
  };
  return new_map_name === null
    ? { name: 'upload_recording', args }
    : { name: 'record_new_map', args: { ...args, name: new_map_name } };
}

/** An upload of a recording: a mutation of the outbox, or a pulled run in the shape of such a mutation. */
export type Upload = Pick<MutationBody, 'args'>;

export function runAsUpload(run: RunDoc): Upload {
  return { args: { ...run, steps: run.recorded_steps ?? run.steps, run_id: run.id } };
}

/**
 * Returns the typed args of an upload. Optional ids are always present: a device sets them in its mutations, and
 * `runAsUpload` takes them from the run.
 */
export const uploadArgsOf = ({ args }: Upload) => args as unknown as UploadArgs;
type UploadArgs = Finished & (MutationArgs['upload_recording'] | MutationArgs['record_new_map']);

export function toFinished(upload: Upload): Finished {
  const { recording_session_id, run_id, map_id } = uploadArgsOf(upload);
  return { recording_session_id, run_id, map_id };
}

/**
 * Returns true if the upload has all steps of the draft. Another device may have uploaded the session with fewer steps.
 */
export function uploadHasAllSteps(upload: Upload, draft: Draft): boolean {
  const uploadedSteps = toRunSteps(uploadArgsOf(upload).steps);
  const { finished } = draft;
  const draftSteps = toRunSteps(stepsToUpload(draft, finished?.at ?? null));
  if (finished && uploadedSteps.length !== draftSteps.length) return false;
  return draftSteps.every((step, index) => {
    const uploadedStep = uploadedSteps[index];
    // On the device that finished the recording, an open step may have become longer and got more notes and photos.
    const isOpen = !finished && isStepOpen(draft, index);
    if (!uploadedStep || !isOpen) return JSON.stringify(uploadedStep) === JSON.stringify(step);
    const { stage_name, notes, photos } = uploadedStep;
    const hasPhotos = step.photos.every((photo) => photos.includes(photo));
    return stage_name === step.stage_name && notes.startsWith(step.notes) && hasPhotos;
  });
}
