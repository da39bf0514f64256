/**
 * Implements the verbs that need no network. A verb that changes records makes one mutation, tests it against the view,
 * and resolves when the outbox has stored it.
 */
import { findLiveMap } from '../shared/domain/guards.ts';
import { stagesPerMapMax } from '../shared/schema/limits.ts';
import type { MutationArgs, MutationName } from '../shared/schema/mutation.ts';
import { GembaError } from './core/errors.ts';
import type { Gemba } from './gemba.ts';
import { lowerCaseUuid, type IdGenerator } from './core/ids.ts';
import { mutex } from './core/mutex.ts';
import { newMutation } from './outbox/model/mutation.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Recordings } from './recording/recordings.ts';
import { requireObject, throwIfInvalid } from './core/validate.ts';
import type { View } from './view/view.ts';

interface VerbsOptions {
  view: View;
  outbox: Outbox;
  recordings: Recordings;
  ids: IdGenerator;
  now: () => string;
  /** Loads the runs that the args name and that a device with a scope does not hold. */
  ensureRuns: (args: object) => Promise<void> | undefined;
}

export function verbsOf({ view, outbox, recordings, ids, now, ensureRuns }: VerbsOptions) {
  /** Runs one verb at a time, so that the view has each mutation before the next one is tested. */
  const runInTurn = mutex();

  async function mutate<Name extends MutationName>(name: Name, args: MutationArgs[Name]): Promise<void> {
    const { requireSendable, validateMutation } = await import('./core/sendable.ts');
    await validateMutation(name, args);
    requireSendable(args);
    const outcome = view.dryRun({ name, args, recorded_at: now() });
    if (!outcome.ok) throw new GembaError(outcome.error);
    await outbox.writer.append([newMutation({ name, args })]);
  }
  /** Loads the code of comparisons, exports, imports and drawings on demand, since the app starts without it. */
  const loadOnDemandCode = () => import('./figures-on-demand.ts');
  const sources = { view, outbox, ids, now, ensureRuns, runInTurn };
  const mutateInTurn = async <Name extends MutationName>(name: Name, args: MutationArgs[Name]) => {
    await ensureRuns(args);
    await runInTurn(() => mutate(name, args));
  };

  return {
    createMap: async (newMap) => {
      requireObject(newMap);
      const { id, ...fields } = newMap;
      const map_id = id === undefined ? ids.mapId() : lowerCaseUuid(id);
      await mutateInTurn('create_map', { ...fields, map_id });
      return { map_id };
    },
    updateMap: async (mapId, patch) => {
      requireObject(patch);
      await mutateInTurn('update_map', { ...patch, map_id: lowerCaseUuid(mapId) });
    },
    deleteMap: (mapId) => mutateInTurn('delete_map', { map_id: lowerCaseUuid(mapId) }),
    restoreMap: (mapId) => mutateInTurn('restore_map', { map_id: lowerCaseUuid(mapId) }),
    addStage: async (mapId, fields) => {
      requireObject(fields);
      const stage_id = ids.integer();
      await mutateInTurn('add_stage', { ...fields, map_id: lowerCaseUuid(mapId), stage_id });
      return { stage_id };
    },
    updateStage: async (mapId, stage_id, patch) => {
      requireObject(patch);
      await mutateInTurn('update_stage', { ...patch, map_id: lowerCaseUuid(mapId), stage_id });
    },
    deleteStage: (mapId, stage_id) => mutateInTurn('delete_stage', { map_id: lowerCaseUuid(mapId), stage_id }),
    reorderStages: (mapId, stage_ids) => mutateInTurn('reorder_stages', { map_id: lowerCaseUuid(mapId), stage_ids }),
    replaceStages: (mapId, stages) => {
      // Makes one id for each listed stage, though only new stages use one. The validation of the args refuses an
      // invalid list.
      const isList = Array.isArray(stages) && stages.length <= stagesPerMapMax;
      const stage_ids = isList ? ids.integers(stages.length) : [];
      return mutateInTurn('replace_stages', { map_id: lowerCaseUuid(mapId), stages, stage_ids });
    },
    updateRun: async (run_id, patch) => {
      requireObject(patch);
      await mutateInTurn('update_run', { ...patch, run_id });
    },
    correctRun: (run_id, steps) => mutateInTurn('correct_run', { run_id, steps }),
    deleteRun: (run_id) => mutateInTurn('delete_run', { run_id }),

    compareRuns: async (...args) => (await loadOnDemandCode()).compareRuns(sources, ...args),
    exportRuns: async (...args) => (await loadOnDemandCode()).exportRuns(sources, ...args),
    valueStreamSvg: async (...args) => (await loadOnDemandCode()).valueStreamSvg(view, ...args),
    importSteps: async (...args) => (await loadOnDemandCode()).importSteps(sources, ...args),

    startRecording: async (target) => {
      requireObject(target);
      if ('newMap' in target) return recordings.start({ newMap: target.newMap });
      if (typeof target.mapId !== 'string') throwIfInvalid([{ path: '/mapId', message: 'must be a UUID' }]);
      const mapId = lowerCaseUuid(target.mapId);
      const found = findLiveMap(view, mapId);
      if (!found.ok) throw new GembaError(found.error);
      return recordings.start({ mapId });
    },

    restoreRecording: (session) => recordings.restore(session),

    importRecording: (imported) =>
      runInTurn(async () => {
        const { importRecording } = await import('./import-recording.ts');
        return importRecording({ view, outbox, ids, upload: (args) => mutate('upload_recording', args) }, imported);
      }),
  } satisfies Partial<Gemba>;
}
