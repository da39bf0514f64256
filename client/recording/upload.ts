import { runSteps } from '../../shared/domain/recording.ts';
import type { MutationArgs } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { isoTime, type Stamp } from '../core/clock.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { NewMutation } from '../outbox/model/mutation.ts';
import type { MutationBody } from '../storage/rows.ts';
import { recordingDigest } from '../core/hash.ts';
import { stepsToUpload, type Draft } from './draft.ts';
import type { Finished } from './recording.ts';

/** Makes the mutation that uploads a finished draft, with the final ids of its run and stages. */
export async function uploadMutation(draft: Draft, end: Stamp, ids: IdGenerator): Promise<NewMutation> {
  const { recording_session_id, map_id, new_map_name, at } = draft.started;
  const steps = stepsToUpload(draft, end);
  const args = {
    map_id,
    recording_session_id,
    started_at: isoTime(at.wall_ms),
    steps,
    digest: await recordingDigest(steps),
    run_id: ids.integer(),
    stage_ids: steps.map(() => ids.integer()),
  };
  return new_map_name === null
    ? { name: 'upload_recording', args }
    : { name: 'record_new_map', args: { ...args, name: new_map_name } };
}

/** The mutation that uploads a recording, or equal args made from a pulled run. */
export type Upload = Pick<MutationBody, 'args'>;

export function uploadsOfRun(run: RunDoc | undefined): Upload[] {
  return run ? [{ args: { ...run, run_id: run.id } }] : [];
}

/** The args of either mutation that uploads a recording. A device always sets their ids. */
export const uploadArgs = ({ args }: Upload) => args as unknown as UploadArgs;
type UploadArgs = Finished & (MutationArgs['upload_recording'] | MutationArgs['record_new_map']);

export function toFinished(upload: Upload): Finished {
  const { recording_session_id, run_id, map_id } = uploadArgs(upload);
  return { recording_session_id, run_id, map_id };
}

/**
 * Tells whether an upload has all steps of the draft. Another device may have finished the same session with fewer
 * steps; the draft is then not uploaded yet.
 */
export function hasAllStepsOf(draft: Draft, upload: Upload): boolean {
  const uploaded = runSteps(uploadArgs(upload).steps);
  const { steps, finished } = draft;
  const here = runSteps(stepsToUpload(draft, finished ?? steps.at(-1)?.begun ?? draft.started.at));
  if (finished && uploaded.length !== here.length) return false;
  return here.every((step, index) => {
    const there = uploaded[index];
    const goesOn = !finished && index === here.length - 1;
    if (!there || !goesOn) return JSON.stringify(there) === JSON.stringify(step);
    return there.stage_name === step.stage_name && there.notes.startsWith(step.notes);
  });
}
