/** Adds a recording that was made elsewhere. Loaded on first use, since Gemba's own apps import no recordings. */
import { fingerprintText } from '../shared/domain/recording-fingerprint.ts';
import type { MutationArgs } from '../shared/schema/mutation.ts';
import type { RecordingBody } from '../shared/schema/recording.ts';
import { GembaError } from './core/errors.ts';
import { lowerCaseUuid, type IdGenerator } from './core/ids.ts';
import { loadMutationValidators, requireObject, requireValid, throwIfInvalid } from './core/validate.ts';
import type { Outbox } from './outbox/outbox.ts';
import { findEarlierRecording } from './recording/earlier-recording.ts';
import type { Finished } from './recording/recording.ts';
import type { View } from './view/view.ts';

interface RecordingImportOptions {
  view: View;
  outbox: Outbox;
  ids: IdGenerator;
  upload(args: MutationArgs['upload_recording']): Promise<void>;
}

export async function importRecording(
  { view, outbox, ids, upload }: RecordingImportOptions,
  imported: { mapId: string; recording: RecordingBody },
): Promise<Finished> {
  requireObject(imported);
  const { mapId, recording } = imported;
  if (typeof mapId !== 'string') throwIfInvalid([{ path: '/mapId', message: 'must be a UUID' }]);
  const { recording: isRecording, lists } = await loadMutationValidators();
  requireValid(isRecording, recording, lists.recording);
  const map_id = lowerCaseUuid(mapId);
  const recording_session_id = recording.recording_session_id ?? ids.uuid();
  const earlier = findEarlierRecording({ view, outbox }, recording_session_id);
  if (earlier) {
    const { finished, target, versions } = earlier;
    const isSame = fingerprintText(target, versions[0]) === fingerprintText({ mapId: map_id }, recording.steps);
    if (isSame) return finished;
    const detail = `The recording session ${recording_session_id} was used with other steps or another target.`;
    throw new GembaError({ code: 'recording_session_mismatch', detail });
  }
  const run_id = ids.integer();
  const stage_ids = ids.integers(recording.steps.length);
  await upload({ ...recording, map_id, recording_session_id, run_id, stage_ids });
  return { recording_session_id, run_id, map_id };
}
