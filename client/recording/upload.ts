import { runSteps } from '../../shared/domain/recording.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { isoTime, type Stamp } from '../core/clock.ts';
import type { Ids } from '../core/ids.ts';
import type { NewMutation } from '../outbox/model/mutation.ts';
import type { MutationBody } from '../storage/rows.ts';
import { recordingDigest } from '../core/hash.ts';
import { recordedSteps, type Draft } from './draft.ts';
import type { Finished } from './recording.ts';

/** The mutation that a finished draft becomes, with the ids that its run and stages will have for good. */
export async function uploadMutation(draft: Draft, end: Stamp, ids: Ids): Promise<NewMutation> {
  const { recording_session_id, map_id, new_map_name, at } = draft.started;
  const steps = recordedSteps(draft, end);
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

/** What a recording became: the mutation that uploads it, or the like of one for a run that the pull brought. */
export type Upload = Pick<MutationBody, 'args'>;

export function uploadsOfRun(run: RunDoc | undefined): Upload[] {
  return run ? [{ args: { ...run, run_id: run.id } }] : [];
}

export function finishedBy({ args }: Upload): Finished {
  return {
    recording_session_id: args['recording_session_id'] as string,
    run_id: args['run_id'] as number,
    map_id: args['map_id'] as string,
  };
}

/**
 * Whether an upload of the same session has all that the draft has. Another device may have finished the same recording:
 * what was tapped here beyond that is no less a recording.
 */
export function hasAllOf(draft: Draft, { args }: Upload): boolean {
  const uploaded = runSteps(args['steps'] as RecordingStep[]);
  const { steps, finished } = draft;
  const here = runSteps(recordedSteps(draft, finished ?? steps.at(-1)?.begun ?? draft.started.at));
  if (finished && uploaded.length !== here.length) return false;
  return here.every((step, index) => {
    const there = uploaded[index];
    const goesOn = !finished && index === here.length - 1;
    if (!there || !goesOn) return JSON.stringify(there) === JSON.stringify(step);
    return there.stage_name === step.stage_name && there.notes.startsWith(step.notes);
  });
}
