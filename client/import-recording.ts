/** Adds a recording that was made elsewhere. Loaded on first use, since Gemba's own apps import no recordings. */
import { fingerprintText } from '../shared/domain/recording-fingerprint.ts';
import type { MutationArgs } from '../shared/schema/mutation.ts';
import type { RecordingBody } from '../shared/schema/recording.ts';
import { GembaError } from './core/errors.ts';
import { lowerCaseUuid, type IdGenerator } from './core/ids.ts';
import { loadMutationValidators, requireObject, requireValid, throwIfInvalid } from './core/validate.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Finished } from './recording/recording.ts';
import { toFinished, uploadArgs, type Upload } from './recording/upload.ts';
import type { View } from './view/view.ts';

interface ImportOptions {
  view: View;
  outbox: Outbox;
  ids: IdGenerator;
  upload(args: MutationArgs['upload_recording']): Promise<void>;
}

export async function importRecording(
  { view, outbox, ids, upload }: ImportOptions,
  imported: { mapId: string; recording: RecordingBody },
): Promise<Finished> {
  requireObject(imported);
  const { mapId, recording } = imported;
  if (typeof mapId !== 'string') throwIfInvalid([{ path: '/mapId', message: 'must be a UUID' }]);
  const { recording: isRecording, lists } = await loadMutationValidators();
  requireValid(isRecording, recording, lists.recording);
  if (JSON.stringify(recording).length * bytesPerCharacterMax > importBytesMax) {
    throw new GembaError({ code: 'payload_too_large', detail: 'The recording is larger than the server takes.' });
  }
  const map_id = lowerCaseUuid(mapId);
  const recording_session_id = recording.recording_session_id ?? ids.uuid();
  const fingerprint = fingerprintText({ mapId: map_id }, recording.steps);
  const known = findEarlierImport({ view, outbox }, recording_session_id, fingerprint);
  if (known) return known;
  const run_id = ids.integer();
  const stage_ids = ids.integers(recording.steps.length);
  await upload({ ...recording, map_id, recording_session_id, run_id, stage_ids });
  return { recording_session_id, run_id, map_id };
}

/** A push has at most 8 MiB. The remaining 1 MiB is for the envelope and the ids. */
const importBytesMax = 7 * 1024 * 1024;
/** A UTF-16 code unit takes at most 3 bytes in UTF-8. */
const bytesPerCharacterMax = 3;

/** Finds an upload or a run of the same recording session. Throws if its steps or its map differ. */
function findEarlierImport(
  { view, outbox }: Pick<ImportOptions, 'view' | 'outbox'>,
  recording_session_id: string,
  fingerprint: string,
): Finished | undefined {
  const upload = outbox.latestUpload(recording_session_id);
  const session = view.recordingSession(recording_session_id);
  const run = session && view.run(session.run_id);
  const known = upload
    ? fingerprintText(recordingTargetOf(upload), uploadArgs(upload).steps)
    : run && fingerprintText({ mapId: run.map_id }, run.recorded_steps ?? run.steps);
  if (known === undefined) return undefined;
  if (known !== fingerprint) {
    const detail = `The recording session ${recording_session_id} was used with other steps or another target.`;
    throw new GembaError({ code: 'recording_session_mismatch', detail });
  }
  if (upload) return toFinished(upload);
  return run && { recording_session_id, run_id: run.id, map_id: run.map_id };
}

function recordingTargetOf(upload: Upload): Parameters<typeof fingerprintText>[0] {
  const args = uploadArgs(upload);
  return 'name' in args ? { newMapName: args.name } : { mapId: args.map_id };
}
