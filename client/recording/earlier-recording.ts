/**
 * Finds an earlier upload or run of a recording session, so that an import adds no recording twice. Loaded on demand.
 */
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Finished } from './recording.ts';
import { toFinished, uploadArgsOf } from './upload.ts';

export interface EarlierRecording {
  finished: Finished;
  /** The map that was recorded, or the name of the new map. */
  target: { mapId: string } | { newMapName: string };
  /** The recorded steps, followed by the current steps of the run if the device has the run. */
  versions: [recorded: RecordingStep[], ...current: RecordingStep[][]];
  /** The start by the clock of the recording device, and the start as the server corrected it. */
  starts: string[];
}

/** Searches the outbox, which has pending and refused recordings, and the view, which has runs. */
export function findEarlierRecording(
  { view, outbox }: { view: View; outbox: Outbox },
  recordingSessionId: string,
): EarlierRecording | undefined {
  const upload = outbox.latestUpload(recordingSessionId);
  const session = view.recordingSession(recordingSessionId);
  const run = session && view.run(session.run_id);
  const ofRun = run && {
    finished: { recording_session_id: recordingSessionId, run_id: run.id, map_id: run.map_id },
    target: { mapId: run.map_id },
    versions: [run.recorded_steps ?? run.steps, run.steps] satisfies EarlierRecording['versions'],
    starts: [run.started_at, run.device_started_at].filter((start) => typeof start === 'string'),
  };
  if (!upload) return ofRun;
  const args = uploadArgsOf(upload);
  return {
    finished: toFinished(upload),
    target: 'name' in args ? { newMapName: args.name } : { mapId: args.map_id },
    versions: [args.steps, ...(ofRun?.versions ?? [])],
    starts: [...(args.started_at === undefined ? [] : [args.started_at]), ...(ofRun?.starts ?? [])],
  };
}
