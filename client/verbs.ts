/**
 * The verbs of the engine that need no network. A verb that changes records makes one mutation, tests it against the
 * view, and resolves when the outbox has stored the mutation.
 */
import { liveMap } from '../shared/domain/guards.ts';
import { fingerprintText } from '../shared/domain/recording-fingerprint.ts';
import type { MutationArgs, MutationName } from '../shared/schema/mutation.ts';
import { GembaError } from './core/errors.ts';
import type { Gemba } from './gemba.ts';
import type { IdGenerator } from './core/ids.ts';
import { mutex } from './core/mutex.ts';
import { newMutation } from './outbox/model/mutation.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Finished } from './recording/recording.ts';
import type { Recordings } from './recording/recordings.ts';
import { toFinished, uploadArgs, type Upload } from './recording/upload.ts';
import { loadMutationValidators, throwIfInvalid, requireValid, validateMutation } from './core/validate.ts';
import type { View } from './view/view.ts';

interface VerbsOptions {
  view: View;
  outbox: Outbox;
  recordings: Recordings;
  ids: IdGenerator;
  now: () => string;
}

export function verbsOf({ view, outbox, recordings, ids, now }: VerbsOptions) {
  /** Runs one verb at a time, so that the view contains each mutation before the next one is tested. */
  const runInTurn = mutex();

  async function mutate<Name extends MutationName>(name: Name, args: MutationArgs[Name]): Promise<void> {
    await validateMutation(name, args);
    const outcome = view.rehearse({ name, args, recorded_at: now() });
    if (!outcome.ok) throw new GembaError(outcome.error);
    await outbox.writer.append([newMutation({ name, args })]);
  }
  const mutateInTurn = <Name extends MutationName>(name: Name, args: MutationArgs[Name]) =>
    runInTurn(() => mutate(name, args));

  return {
    createMap: async ({ id, ...fields }) => {
      const map_id = id === undefined ? ids.mapId() : lowerCaseUuid(id);
      await mutateInTurn('create_map', { ...fields, map_id });
      return { map_id };
    },
    updateMap: (mapId, patch) => mutateInTurn('update_map', { ...patch, map_id: lowerCaseUuid(mapId) }),
    deleteMap: (mapId) => mutateInTurn('delete_map', { map_id: lowerCaseUuid(mapId) }),
    restoreMap: (mapId) => mutateInTurn('restore_map', { map_id: lowerCaseUuid(mapId) }),
    addStage: async (mapId, fields) => {
      const stage_id = ids.integer();
      await mutateInTurn('add_stage', { ...fields, map_id: lowerCaseUuid(mapId), stage_id });
      return { stage_id };
    },
    updateStage: (mapId, stage_id, patch) =>
      mutateInTurn('update_stage', { ...patch, map_id: lowerCaseUuid(mapId), stage_id }),
    deleteStage: (mapId, stage_id) => mutateInTurn('delete_stage', { map_id: lowerCaseUuid(mapId), stage_id }),
    reorderStages: (mapId, stage_ids) => mutateInTurn('reorder_stages', { map_id: lowerCaseUuid(mapId), stage_ids }),
    replaceStages: (mapId, stages) => {
      // The ids of kept stages are not used. An invalid list is refused by the validation of the args.
      const stage_ids = Array.isArray(stages) ? stages.map(() => ids.integer()) : [];
      return mutateInTurn('replace_stages', { map_id: lowerCaseUuid(mapId), stages, stage_ids });
    },
    updateRun: (run_id, patch) => mutateInTurn('update_run', { ...patch, run_id }),
    correctRun: (run_id, steps) => mutateInTurn('correct_run', { run_id, steps }),
    deleteRun: (run_id) => mutateInTurn('delete_run', { run_id }),

    compareRuns: async (runIds, study = {}) => {
      const request = { ...study, run_ids: runIds };
      // Load the comparison code on demand, since the app starts without it.
      const { compare } = await import('./generated/compare-validator.js');
      const { compareRuns, ratingErrors } = await import('../shared/domain/study/compare.ts');
      requireValid(compare, request);
      throwIfInvalid(ratingErrors(request));
      const missing = runIds.filter((id) => !view.run(id));
      if (missing.length > 0) {
        throw new GembaError({ code: 'run_not_found', detail: `There is no run ${missing.join(', ')}.` });
      }
      return compareRuns(
        runIds.flatMap((id) => view.run(id) ?? []),
        { request: study, stagesOf: (mapId) => view.map(mapId)?.stages ?? [] },
      );
    },

    startRecording: async (target) => {
      if ('newMap' in target) return recordings.start({ newMap: target.newMap });
      const mapId = lowerCaseUuid(target.mapId);
      const found = liveMap(view, mapId);
      if (!found.ok) throw new GembaError(found.error);
      return recordings.start({ mapId });
    },

    restoreRecording: (session) => recordings.restore(session),

    importRecording: ({ mapId, recording }) =>
      runInTurn(async () => {
        const { recording: isRecording } = await loadMutationValidators();
        requireValid(isRecording, recording);
        if (JSON.stringify(recording).length * bytesPerCharacterMax > importBytesMax) {
          throw new GembaError({ code: 'payload_too_large', detail: 'The recording is larger than the server takes.' });
        }
        const map_id = lowerCaseUuid(mapId);
        const recording_session_id = recording.recording_session_id ?? ids.uuid();
        const known = findEarlierImport(
          { view, outbox },
          recording_session_id,
          fingerprintText({ mapId: map_id }, recording.steps),
        );
        if (known) return known;
        const run_id = ids.integer();
        const stage_ids = recording.steps.map(() => ids.integer());
        await mutate('upload_recording', { ...recording, map_id, recording_session_id, run_id, stage_ids });
        return { recording_session_id, run_id, map_id };
      }),
  } satisfies Partial<Gemba>;
}

/** A push has at most 8 MiB. The remaining 1 MiB is for the envelope and the ids. */
const importBytesMax = 7 * 1024 * 1024;
/** A UTF-16 code unit takes at most 3 bytes in UTF-8. */
const bytesPerCharacterMax = 3;

/** Returns the UUID in lower case, since the engine compares UUIDs as text. */
export const lowerCaseUuid = (uuid: string): string => (typeof uuid === 'string' ? uuid.toLowerCase() : uuid);

/** Finds an upload or a run of the same recording session. Throws if its steps or its map differ. */
function findEarlierImport(
  { view, outbox }: Pick<VerbsOptions, 'view' | 'outbox'>,
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
