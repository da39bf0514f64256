/** Finds what a device has of a recording session, so that an import adds none twice. Imports load this on first use. */
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Finished } from './recording.ts';
import { runAsUpload, toFinished, uploadArgs } from './upload.ts';

export interface EarlierRecording {
  finished: Finished;
  /** The map that it was recorded for, or the name of a new one. */
  target: { mapId: string } | { newMapName: string };
  /** The steps as they were recorded, and then those of its run as they are. */
  versions: [recorded: RecordingStep[], ...current: RecordingStep[][]];
  /** When it began by the clock of its device, and as the server corrected that. */
  starts: string[];
}

/** The outbox has pending and refused recordings, and the view has runs. */
export function findEarlierRecording(
  { view, outbox }: { view: View; outbox: Outbox },
  recordingSessionId: string,
): EarlierRecording | undefined {
  const upload = outbox.latestUpload(recordingSessionId);
  const session = view.recordingSession(recordingSessionId);
  const run = session && view.run(session.run_id);
  const recorded = upload ?? (run && runAsUpload(run));
  if (!recorded) return undefined;
  const args = uploadArgs(recorded);
  const starts = [args.started_at, run?.started_at, run?.device_started_at];
  return {
    finished: toFinished(recorded),
    // A run may have a name of its own, which is not that of a map.
    target: upload && 'name' in args ? { newMapName: args.name } : { mapId: args.map_id },
    versions: [args.steps, ...(run ? [run.steps, ...(run.recorded_steps ? [run.recorded_steps] : [])] : [])],
    starts: starts.filter((start) => typeof start === 'string'),
  };
}
