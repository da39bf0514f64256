/** Lists, for each verb and each of its arguments, a call in which a test can set that argument to any value. */
import { GembaError, type Gemba, type Recording } from '../../../client/client.ts';

/** Calls the verb with the given value for one argument and with valid values for all others. */
export type VerbCall = (value: never) => unknown;

interface Ids {
  map_id: string;
  stage_id: number;
  run_id: number;
}

export function callsOfVerbs(
  gemba: Gemba,
  { map_id, stage_id, run_id }: Ids,
): Record<string, Record<string, VerbCall>> {
  const step = { stage_name: 'Cut', order: 1, duration_secs: 1 };
  const fieldsOf = (verb: (fields: never) => unknown, names: string[], others: object = {}) =>
    Object.fromEntries(names.map((name) => [name, (value: never) => verb({ ...others, [name]: value } as never)]));
  return {
    createMap: {
      fields: gemba.createMap,
      ...fieldsOf(gemba.createMap, ['id', 'name', 'industry', 'state'], { name: 'A' }),
    },
    updateMap: {
      id: (id) => gemba.updateMap(id, { name: 'A' }),
      patch: (patch) => gemba.updateMap(map_id, patch),
      ...fieldsOf((patch) => gemba.updateMap(map_id, patch), ['name', 'state', 'archived_at']),
    },
    deleteMap: { id: gemba.deleteMap },
    restoreMap: { id: gemba.restoreMap },
    addStage: {
      id: (id) => gemba.addStage(id, { stage: 'A' }),
      fields: (fields) => gemba.addStage(map_id, fields),
      ...fieldsOf((fields) => gemba.addStage(map_id, fields), ['stage', 'cycle_time_secs', 'work_type'], {
        stage: 'A',
      }),
    },
    updateStage: {
      id: (id) => gemba.updateStage(id, stage_id, { stage: 'A' }),
      stage: (stage) => gemba.updateStage(map_id, stage, { stage: 'A' }),
      patch: (patch) => gemba.updateStage(map_id, stage_id, patch),
      ...fieldsOf((patch) => gemba.updateStage(map_id, stage_id, patch), ['stage', 'aliases', 'work_type']),
    },
    deleteStage: {
      id: (id) => gemba.deleteStage(id, stage_id),
      stage: (stage) => gemba.deleteStage(map_id, stage),
    },
    reorderStages: {
      id: (id) => gemba.reorderStages(id, [stage_id]),
      stages: (stages) => gemba.reorderStages(map_id, stages),
      stage: (stage) => gemba.reorderStages(map_id, [stage]),
    },
    replaceStages: {
      id: (id) => gemba.replaceStages(id, []),
      stages: (stages) => gemba.replaceStages(map_id, stages),
      stage: (stage) => gemba.replaceStages(map_id, [stage]),
      name: (name) => gemba.replaceStages(map_id, [{ stage: name }]),
      stageId: (id) => gemba.replaceStages(map_id, [{ id, stage: 'A' }]),
    },
    updateRun: {
      id: (id) => gemba.updateRun(id, { name: 'A' }),
      patch: (patch) => gemba.updateRun(run_id, patch),
      ...fieldsOf((patch) => gemba.updateRun(run_id, patch), ['name', 'tags', 'note']),
      reason: (reason) => gemba.updateRun(run_id, { excluded: { reason } }),
    },
    correctRun: {
      id: (id) => gemba.correctRun(id, [step]),
      steps: (steps) => gemba.correctRun(run_id, steps),
      step: (one) => gemba.correctRun(run_id, [one]),
      name: (stage_name) => gemba.correctRun(run_id, [{ ...step, stage_name }]),
    },
    deleteRun: { id: gemba.deleteRun },
    compareRuns: {
      ids: (ids) => gemba.compareRuns(ids),
      id: (id) => gemba.compareRuns([id]),
      study: (study) => gemba.compareRuns([run_id], study),
      ...fieldsOf((study) => gemba.compareRuns([run_id], study), ['ratings', 'takt_time_secs']),
    },
    exportRuns: {
      format: (format) => gemba.exportRuns(format, [run_id]),
      ids: (ids) => gemba.exportRuns('log.xes', ids),
      id: (id) => gemba.exportRuns('log.xes', [id]),
      options: (options) => gemba.exportRuns('log.xes', [run_id], options),
      ...fieldsOf((options) => gemba.exportRuns('steps.csv', [run_id], options), ['lifecycle']),
    },
    importSteps: {
      // A text is a file, though a wrong one.
      file: async (file) => {
        const { errors_total } = await gemba.importSteps(file);
        if (errors_total > 0) throw new GembaError({ code: 'validation_failed', detail: 'It has errors.' });
      },
      options: (options) => gemba.importSteps('', options),
    },
    startRecording: {
      target: gemba.startRecording,
      map: (mapId) => gemba.startRecording({ mapId }),
      newMap: (newMap) => gemba.startRecording({ newMap }),
      name: (name) => gemba.startRecording({ newMap: { name } }),
    },
    restoreRecording: { session: gemba.restoreRecording },
    importRecording: {
      imported: gemba.importRecording,
      map: (mapId) => gemba.importRecording({ mapId, recording: { steps: [step] } }),
      recording: (recording) => gemba.importRecording({ mapId: map_id, recording }),
      steps: (steps) => gemba.importRecording({ mapId: map_id, recording: { steps } }),
    },
    resolve: { seq: (seq) => gemba.resolve(seq, 'discard'), remedy: (remedy) => gemba.resolve(1, remedy) },
    restoreChange: { seq: gemba.restoreChange },
    exportUnsent: {},
    importUnsent: { content: gemba.importUnsent },
    sync: {},
    pair: { code: (code) => gemba.pair(code, 'Phone'), name: (name) => gemba.pair('ABCD', name) },
    pairingAccount: { code: gemba.pairingAccount },
    account: {},
    devices: {},
    renameDevice: { id: (id) => gemba.renameDevice(id, 'A'), name: (name) => gemba.renameDevice('a', name) },
    revokeDevice: { id: gemba.revokeDevice },
    keys: {},
    createKey: { fields: gemba.createKey, ...fieldsOf(gemba.createKey, ['name', 'scopes', 'other']) },
    revokeKey: { id: gemba.revokeKey },
    pairingCode: { kind: gemba.pairingCode },
    setPhotoPolicy: { policy: gemba.setPhotoPolicy },
    sendPhotosNow: {},
    retryPhotos: {},
    close: {},
  };
}

const photoId = `sha256:${'0'.repeat(64)}`;

export function callsOfRecording(
  recording: Recording,
  position: { index: number; started_at: string },
): Record<string, Record<string, VerbCall>> {
  const atPlaces = (verb: (step: never) => unknown) => ({
    step: verb,
    index: (index: never) => verb({ ...position, index } as never),
    start: (started_at: never) => verb({ ...position, started_at } as never),
  });
  const finishes = (finish: (options: never) => unknown) => ({
    options: finish,
    stages: (stages: never) => finish({ stages } as never),
    undoMs: (undoMs: never) => finish({ undoMs } as never),
  });
  const steps = (verb: (step: never) => unknown) => ({
    fields: verb,
    name: (stage_name: never) => verb({ stage_name } as never),
    type: (work_type: never) => verb({ stage_name: 'A', work_type } as never),
    notes: (notes: never) => verb({ stage_name: 'A', notes } as never),
  });
  return {
    step: {
      ...steps(recording.step),
      interruption: (flag) =>
        flag === true ? refuseAsWrong() : recording.step({ stage_name: 'A', interruption: flag }),
    },
    note: { text: recording.note },
    undo: {},
    edit: {
      ...atPlaces((step) => recording.edit(step, { notes: 'A' })),
      ...steps((edit) => recording.edit(position, edit)),
    },
    split: {
      ...atPlaces((step) => recording.split(step, { at_secs: 0.001 })),
      cut: (cut) => recording.split(position, cut),
      name: (stage_name) => recording.split(position, { at_secs: 0.001, stage_name }),
    },
    join: atPlaces(recording.join),
    moveBorder: {
      ...atPlaces((step) => recording.moveBorder(step, { secs: 0.001 })),
      by: (by) => recording.moveBorder(position, by),
    },
    photo: { picture: recording.photo },
    removePhoto: {
      ...atPlaces((step) => recording.removePhoto(step, photoId)),
      id: (id) => recording.removePhoto(position, id),
    },
    pause: {},
    resume: {},
    nextCycle: {
      ...steps(recording.nextCycle),
      ...finishes((options) => recording.nextCycle({ stage_name: 'A' }, options)),
    },
    finish: finishes(recording.finish),
    unfinish: {},
    discard: {},
  };
}

/** Stands for the refusal of `true`, which is a valid value of `interruption`. */
function refuseAsWrong(): never {
  throw new GembaError({ code: 'validation_failed', detail: '' });
}
