/**
 * Checks a tap of an imported file. The checks are written by hand: a generated validator would enlarge the app for a
 * rare check.
 */
import { hexOfPhotoId } from '../../shared/schema/photos/photo-id.ts';
import { computeStagesByMode } from '../../shared/domain/stages/stages-after-recording.ts';
import { isPossibleTime } from '../core/clock.ts';
import { isUuid } from '../core/ids.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { tapped_step } from '../generated/recorder-validators.js';
import { isUndoTime } from '../recording/taps/step-taps.ts';
import type { TapBody } from '../storage/rows.ts';

export function isTap(tap: unknown): tap is JsonObject & TapBody {
  if (!isObject(tap) || !isStamp(tap['at'])) return false;
  const { kind } = tap;
  return typeof kind === 'string' && isTapKind(kind) && fieldChecks[kind](tap);
}

const isTapKind = (kind: string): kind is TapBody['kind'] => Object.hasOwn(fieldChecks, kind);

const isText = (value: unknown) => typeof value === 'string';
const acceptAny = () => true;

/** Checks the fields of each kind of tap, except the time, which every tap has. */
const fieldChecks: Record<TapBody['kind'], (tap: JsonObject) => boolean> = {
  started: ({ recording_session_id, map_id, new_map_name, previous_session }) =>
    isText(recording_session_id) &&
    isUuid(map_id) &&
    (new_map_name === null || isText(new_map_name)) &&
    (previous_session === undefined || isText(previous_session)),
  stepped: ({ stage_name, work_type, notes, interruption }) => {
    const step = { stage_name, notes, ...(work_type === null ? {} : { work_type }) };
    return tapped_step(step) && (interruption === undefined || interruption === true);
  },
  noted: ({ text }) => isText(text),
  finished: isFinishedTap,
  edited: (tap) => {
    const { stage_name, work_type, notes } = tap;
    const fields = Object.entries({ stage_name, work_type, notes }).filter(([, value]) => value !== undefined);
    return isStepIndex(tap) && tapped_step({ stage_name: 'step', ...Object.fromEntries(fields) });
  },
  split: (tap) => {
    const { stage_name, after_ms } = tap;
    return (
      isStepIndex(tap) && Number.isSafeInteger(after_ms) && (stage_name === undefined || tapped_step({ stage_name }))
    );
  },
  joined: isStepIndex,
  border_moved: (tap) => isStepIndex(tap) && Number.isSafeInteger(tap['by_ms']),
  photographed: isPhotoTap,
  photo_removed: isPhotoTap,
  undone: acceptAny,
  discarded: acceptAny,
  restored: acceptAny,
  paused: acceptAny,
  resumed: acceptAny,
};

function isStepIndex({ index }: JsonObject): boolean {
  return Number.isSafeInteger(index) && Number(index) >= 0;
}

function isPhotoTap(tap: JsonObject): boolean {
  const { photo } = tap;
  return isStepIndex(tap) && typeof photo === 'string' && hexOfPhotoId(photo) !== undefined;
}

function isFinishedTap({ stages, undo }: JsonObject): boolean {
  const isKnownMode =
    stages === undefined || (typeof stages === 'string' && Object.hasOwn(computeStagesByMode, stages));
  if (undo === undefined) return isKnownMode;
  const isUndo = isObject(undo) && Number.isSafeInteger(undo['run_id']) && isUndoTime(undo['ms']);
  return isKnownMode && isUndo;
}

const isStamp = (at: unknown): boolean =>
  isObject(at) &&
  isClockReading(at['wall_ms']) &&
  isClockReading(at['monotonic_ms']) &&
  typeof at['boot_id'] === 'string';

const isClockReading = (ms: unknown): boolean => typeof ms === 'number' && isPossibleTime(ms);
