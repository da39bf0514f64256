/** The verbs of an app: each makes one mutation, rehearsed on what the device shows and durable when it resolves. */
import type { MutationArgs, MutationName } from '../shared/schema/mutation.ts';
import { GembaError } from './errors.ts';
import type { Gemba } from './gemba.ts';
import type { Ids } from './ids.ts';
import { mutex } from './mutex.ts';
import type { NewMutation, Outbox } from './outbox/outbox.ts';
import type { Recordings } from './recorder/recordings.ts';
import { validate } from './validate.ts';
import type { View } from './view/view.ts';

export interface VerbsOptions {
  view: View;
  outbox: Outbox;
  recordings: Recordings;
  ids: Ids;
  now: () => string;
}

export function verbsOf({ view, outbox, recordings, ids, now }: VerbsOptions) {
  /** Rehearsal and append of one verb are not parted by another: what was rehearsed is what happens. */
  const inTurn = mutex();

  function mutate<Name extends MutationName>(name: Name, args: MutationArgs[Name]): Promise<void> {
    return inTurn(async () => {
      validate(name, args);
      const outcome = view.rehearse({ name, args, recorded_at: now() });
      if (!outcome.ok) throw new GembaError(outcome.error);
      await outbox.append([{ name, args } as unknown as NewMutation]);
    });
  }

  return {
    createMap: async ({ id, ...fields }) => {
      const map_id = id ?? ids.mapId();
      await mutate('create_map', { map_id, ...fields });
      return { map_id };
    },
    updateMap: (map_id, patch) => mutate('update_map', { map_id, ...patch }),
    deleteMap: (map_id) => mutate('delete_map', { map_id }),
    restoreMap: (map_id) => mutate('restore_map', { map_id }),
    addStage: async (map_id, fields) => {
      const stage_id = ids.integer();
      await mutate('add_stage', { map_id, stage_id, ...fields });
      return { stage_id };
    },
    updateStage: (map_id, stage_id, patch) => mutate('update_stage', { map_id, stage_id, ...patch }),
    deleteStage: (map_id, stage_id) => mutate('delete_stage', { map_id, stage_id }),
    reorderStages: (map_id, stage_ids) => mutate('reorder_stages', { map_id, stage_ids }),
    deleteRun: (run_id) => mutate('delete_run', { run_id }),

    compareRuns: async (runIds) => {
      validate('compare', { run_ids: runIds });
      const missing = runIds.filter((id) => !view.run(id));
      if (missing.length > 0) {
        throw new GembaError({ code: 'run_not_found', detail: `There is no run ${missing.join(', ')}.` });
      }
      return view.compare(runIds);
    },

    startRecording: async (target) => {
      if ('mapId' in target) requireLiveMap(view, target.mapId);
      return recordings.start(target);
    },

    importRecording: async ({ mapId, recording }) => {
      validate('recording', recording);
      const recording_session_id = recording.recording_session_id ?? ids.uuid();
      const known = view.recordingSession(recording_session_id);
      if (known) return { recording_session_id, run_id: known.run_id, map_id: known.map_id };
      const run_id = ids.integer();
      const stage_ids = recording.steps.map(() => ids.integer());
      await mutate('upload_recording', { map_id: mapId, ...recording, recording_session_id, run_id, stage_ids });
      return { recording_session_id, run_id, map_id: mapId };
    },
  } satisfies Partial<Gemba>;
}

function requireLiveMap(view: View, mapId: string): void {
  const map = view.map(mapId);
  if (!map) throw new GembaError({ code: 'map_not_found', detail: `There is no map ${mapId} on this device.` });
  if (map.deleted)
    throw new GembaError({ code: 'map_deleted', detail: `The map "${map.name}" is in the recycle bin.` });
}
