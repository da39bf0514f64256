import { isoTime } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { NewMutation } from '../outbox/mutation.ts';
import type { Stamp } from '../store/rows.ts';
import { recordingDigest } from './digest.ts';
import { recordedSteps, type Draft } from './recorder.ts';

/** The mutation that a finished draft becomes, with the ids that its run and stages will have for good. */
export async function uploadOf(draft: Draft, end: Stamp, ids: Ids): Promise<NewMutation> {
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
