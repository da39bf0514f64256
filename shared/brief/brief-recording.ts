/** Converts one recording of a brief push to a list and back. Zeros at the end of the list are left out. */
import type { PushedMutation } from '../protocol/push.ts';
import { restoreId, timeOfMs, shortenId, msOfTime } from './short-texts.ts';
import { columnCount, columnsOfSteps, stepsOf } from './step-columns.ts';
import { NoBriefFormError } from './no-brief-form.ts';

type JsonObject = Record<string, unknown>;

const mutationName = 'upload_recording';
const mutationKeys = new Set(['seq', 'name', 'args', 'recorded_at']);
const argKeys = new Set([
  'map_id',
  'recording_session_id',
  'started_at',
  'steps',
  'digest',
  'run_id',
  'stage_ids',
  'stages',
]);

export interface BriefContext {
  /** When the push was sent, in milliseconds since 1970. The list has other times as milliseconds before `sentMs`. */
  sentMs: number;
  /** Returns the value of a recording's `digest` field for these steps. */
  digestOf: (steps: unknown) => string;
}

/** Returns the list. It lacks `seq`, since the numbers of a push are consecutive. */
export function toBriefRecording(mutation: PushedMutation, { sentMs, digestOf }: BriefContext): unknown[] {
  requireOnlyKeys(mutation, mutationKeys);
  const args = mutation.args as JsonObject;
  if (mutation.name !== mutationName) throw new NoBriefFormError();
  requireOnlyKeys(args, argKeys);
  const { map_id, recording_session_id, started_at, steps, digest, run_id, stage_ids, stages } = args;
  if (!Array.isArray(steps) || steps.length === 0) throw new NoBriefFormError();
  if (digest !== undefined && digest !== digestOf(steps)) throw new NoBriefFormError();
  const values = [
    sentMs - msOfTime(mutation.recorded_at),
    shortenId(map_id),
    shortenId(recording_session_id),
    started_at === undefined ? '' : sentMs - msOfTime(started_at),
    run_id,
    shortenStageIds(stage_ids, steps.length),
    ...columnsOfSteps(steps as JsonObject[]),
    digest === undefined ? 1 : 0,
    stages ?? 0,
  ];
  while (values.at(-1) === 0) values.pop();
  return values;
}

/** Shortens consecutive ids, one for each step, to the first id. A device makes such ids. Other ids stay a list. */
function shortenStageIds(ids: unknown, count: number): unknown {
  if (!Array.isArray(ids)) throw new NoBriefFormError();
  const [first] = ids as unknown[];
  const follows = ids.length === count && ids.every((id, index) => id === (first as number) + index);
  return follows ? first : ids;
}

export function restoreRecording(values: unknown, seq: number, { sentMs, digestOf }: BriefContext): PushedMutation {
  if (!Array.isArray(values)) throw new NoBriefFormError();
  const [recordedBefore, map, session, startedBefore, run_id, stageIds] = values as unknown[];
  const columns = (values as unknown[]).slice(headLength, headLength + columnCount);
  const [hasNoDigest = 0, stages = 0] = (values as unknown[]).slice(headLength + columnCount);
  const steps = stepsOf(columns);
  const args = {
    map_id: restoreId(map),
    recording_session_id: restoreId(session),
    ...(startedBefore === '' ? {} : { started_at: timeOfMs(sentMs - Number(startedBefore)) }),
    steps,
    ...(hasNoDigest === 0 ? { digest: digestOf(steps) } : {}),
    run_id,
    stage_ids: typeof stageIds === 'number' ? steps.map((_, index) => stageIds + index) : stageIds,
    ...(stages === 0 ? {} : { stages }),
  };
  return { seq, name: mutationName, args, recorded_at: timeOfMs(sentMs - Number(recordedBefore)) };
}

const headLength = 6;

function requireOnlyKeys(object: unknown, keys: ReadonlySet<string>): void {
  if (typeof object !== 'object' || object === null || !Object.keys(object).every((key) => keys.has(key)))
    throw new NoBriefFormError();
}
