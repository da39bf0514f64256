/** Finds what a device has of a recording session, so that an import adds none twice. Imports load this on first use. */
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Finished } from './recording.ts';
import { toFinished, uploadArgs } from './upload.ts';

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
  const ofRun = run && {
    finished: { recording_session_id: recordingSessionId, run_id: run.id, map_id: run.map_id },
    target: { mapId: run.map_id },
    versions: [run.recorded_steps ?? run.steps, run.steps] satisfies EarlierRecording['versions'],
    starts: [run.started_at, run.device_started_at].filter((start) => typeof start === 'string'),
  };
  if (!upload) return ofRun;
  const args = uploadArgs(upload);
  return {
    finished: toFinished(upload),
    target: 'name' in args ? { newMapName: args.name } : { mapId: args.map_id },
    versions: [args.steps, ...(ofRun?.versions ?? [])],
    starts: [...(args.started_at === undefined ? [] : [args.started_at]), ...(ofRun?.starts ?? [])],
  };
}
