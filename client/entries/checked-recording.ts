/** Checks the arguments of a recording's verbs for apps in JavaScript, which have no compiler to check them. */
import { GembaError } from '../core/errors.ts';
import { requireFields, requireObject, throwIfInvalid } from '../core/validate.ts';
import type { Recording, RecordingTarget, StepFields } from '../recording/recording.ts';

const stepFieldNames: Record<keyof StepFields, true> = {
  stage_name: true,
  work_type: true,
  notes: true,
  interruption: true,
};

/**
 * Maps each recording to its checked recording. An app may compare the objects that the engine emits, so a recording
 * always gets the same checked recording.
 */
const checkedRecordings = new WeakMap<Recording, Recording>();

export function toCheckedRecording(recording: Recording): Recording {
  const known = checkedRecordings.get(recording);
  if (known) return known;
  const checked: Recording = {
    ...recording,
    // Call `recording.step` before any `await`, since the engine takes the moment of this call as the time of the tap.
    step: async (fields) => {
      requireFields(fields, Object.keys(stepFieldNames));
      return recording.step(fields);
    },
    note: async (text) => {
      if (typeof text !== 'string') throwIfInvalid([{ path: '/text', message: 'must be text' }]);
      return withArgumentPaths(recording.note(text), (path) => path.replace('/notes', '/text'));
    },
    nextCycle: async (fields, options) => {
      requireFields(fields, Object.keys(stepFieldNames));
      const { finished, recording: next } = await recording.nextCycle(fields, options);
      return { finished, recording: toCheckedRecording(next) };
    },
  };
  checkedRecordings.set(recording, checked);
  return checked;
}

type StartRecording = (target: RecordingTarget) => Promise<Recording>;

export const toCheckedStart =
  (start: StartRecording): StartRecording =>
  async (target) => {
    requireFields(target, ['mapId', 'newMap']);
    const { mapId, newMap }: { mapId?: unknown; newMap?: unknown } = target;
    if ((mapId === undefined) === (newMap === undefined))
      throwIfInvalid([{ path: '', message: 'must have either mapId or newMap' }]);
    if (newMap === undefined) return toCheckedRecording(await start({ mapId: mapId as string }));
    requireObject(newMap, '/newMap');
    const startNew = async () => {
      requireFields(newMap, ['name']);
      return start({ newMap: newMap as { name: string } });
    };
    return toCheckedRecording(await withArgumentPaths(startNew(), (path) => `/newMap${path}`));
  };

/** Converts the paths of `validation_failed` into paths of the arguments that the app passed. */
async function withArgumentPaths<Result>(verb: Promise<Result>, pathOf: (path: string) => string): Promise<Result> {
  try {
    return await verb;
  } catch (error) {
    if (error instanceof GembaError && error.errors)
      throwIfInvalid(error.errors.map(({ path, message }) => ({ path: pathOf(path), message })));
    throw error;
  }
}
