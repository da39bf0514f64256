import { stagesPerMapMax } from '../schema/limits.ts';
import type { MapDoc } from '../schema/map.ts';
import type { CompleteArgs } from '../schema/mutation.ts';
import type { StagesMode } from '../schema/recording.ts';
import type { RunStep } from '../schema/run.ts';
import type { Stage } from '../schema/stage.ts';
import { deviceMadeIdRefusal, deviceMadeStageIdsRefusal, findLiveMap, mapCapRefusal } from './guards.ts';
import { newMap, withStages } from './map.ts';
import { computeStagesByMode } from './stages/stages-after-recording.ts';
import { stepsWithoutInterruptions } from './stages/steps-without-interruptions.ts';
import { applied, idTakenRefusal, validationRefusal, refused } from './outcome.ts';
import { sortBySteps, runOf, toRunSteps, stepOrderErrors, type RunHeader } from './run.ts';
import type { ApplyContext, ApplyOutcome, Refused, MutationRule, DomainState } from './state.ts';

const upload_recording: MutationRule<'upload_recording'> = (state, args, context) => {
  const earlyOutcome = invalidStepsRefusal(args) ?? repeatedUploadOutcome(state, args.recording_session_id, context);
  if (earlyOutcome) return earlyOutcome;
  const found = findLiveMap(state, args.map_id);
  if (!found.ok) return found;
  return deviceMadeIdsRefusal(state, args.map_id, args) ?? applyRecording(found.record, args, context);
};

const record_new_map: MutationRule<'record_new_map'> = (state, args, context) => {
  const earlyOutcome = invalidStepsRefusal(args) ?? repeatedUploadOutcome(state, args.recording_session_id, context);
  if (earlyOutcome) return earlyOutcome;
  if (state.map(args.map_id)) return idTakenRefusal('map_id', args.map_id);
  const refusal = mapCapRefusal(state) ?? deviceMadeIdsRefusal(state, args.map_id, args);
  return refusal ?? applyRecording(newMap(args.map_id, { name: args.name }, context.now), args, context);
};

type RecordingArgs = Pick<
  CompleteArgs['upload_recording'],
  'recording_session_id' | 'started_at' | 'steps' | 'stages' | 'run_id' | 'stage_ids'
>;

/**
 * Returns undefined for a new recording session. If the session was uploaded before, returns the ids from the first
 * upload, or a refusal if the first upload had other steps or another target.
 */
function repeatedUploadOutcome(
  state: DomainState,
  recordingSessionId: string,
  { fingerprint }: ApplyContext,
): ApplyOutcome | undefined {
  const session = state.recordingSession(recordingSessionId);
  if (!session) return undefined;
  if (session.fingerprint !== fingerprint) {
    return refused(
      'recording_session_mismatch',
      `The recording session ${recordingSessionId} was used with other steps or another target.`,
    );
  }
  return applied({}, { mapId: session.map_id, runId: session.run_id, isRepeatedUpload: true });
}

/** Refuses steps that the schema accepts but the domain forbids, such as two steps with one `order`. */
function invalidStepsRefusal({ steps, stage_ids }: RecordingArgs): Refused | undefined {
  const errors = stepOrderErrors(steps);
  if (stage_ids && stage_ids.length !== steps.length) {
    errors.push({ path: '/stage_ids', message: `there are ${steps.length} steps and ${stage_ids.length} stage ids` });
  }
  return errors.length > 0 ? validationRefusal(errors) : undefined;
}

function deviceMadeIdsRefusal(
  state: DomainState,
  mapId: string,
  { run_id, stage_ids }: RecordingArgs,
): Refused | undefined {
  const runRefusal =
    run_id !== undefined &&
    deviceMadeIdRefusal({ field: 'run_id', path: '/run_id', id: run_id, isTaken: state.isRunIdTaken(run_id) });
  return runRefusal || deviceMadeStageIdsRefusal(state, mapId, stage_ids);
}

/** Makes the recording the next run of the map, and changes the stages of the map by the mode in `recording.stages`. */
function applyRecording(map: MapDoc, recording: RecordingArgs, context: ApplyContext): ApplyOutcome {
  const steps = toRunSteps(recording.steps);
  let nextId = context.firstFreeId;
  const runId = recording.run_id ?? nextId++;
  const sentIds = recording.stage_ids && sortBySteps(recording.steps, recording.stage_ids);
  const stageIdAt = (index: number) => sentIds?.[index] ?? nextId++;
  const mode = recording.stages ?? 'replace';
  const stages = stagesAfter(map, { recording, steps, mode, stageIdAt });
  if (stages.length > stagesPerMapMax && stages.length > map.stages.length) {
    return validationRefusal([{ path: '/steps', message: `a map has at most ${stagesPerMapMax} stages` }]);
  }
  const run = runOf(
    {
      id: runId,
      mapId: map.id,
      number: map.last_run_number + 1,
      recordingSessionId: recording.recording_session_id,
      deviceId: context.deviceId,
      start: correctedStart(recording, context),
      createdAt: context.now,
    },
    steps,
  );
  const changed: MapDoc = {
    ...withStages(map, stages),
    run_count: map.run_count + 1,
    last_run_at: context.now,
    last_run_number: run.number,
    updated_at: context.now,
  };
  const hasOneStagePerStep = mode === 'replace' && !recording.steps.some(({ interruption }) => interruption);
  // The server stores the map with the run. If the stages follow from the steps, the server stores only their ids, and
  // makes the stages from the steps again when the upload is repeated.
  const stagesFollowFromSteps = hasOneStagePerStep && stages.every(({ aliases }) => aliases === undefined);
  const stageIdsOfSteps = stagesFollowFromSteps ? { stageIdsOfSteps: stages.map(({ id }) => id) } : {};
  return applied(
    { map: changed, newRun: run },
    { mapId: map.id, runId, ...stageIdsOfSteps },
    nextId - context.firstFreeId,
  );
}

interface StagesInput {
  recording: RecordingArgs;
  steps: RunStep[];
  mode: StagesMode;
  stageIdAt: (stepIndex: number) => number;
}

/** Leaves the stages as they are if the recording has only interruptions. */
function stagesAfter(map: MapDoc, { recording, steps, mode, stageIdAt }: StagesInput): Stage[] {
  const isInterruption = sortBySteps(
    recording.steps,
    recording.steps.map(({ interruption }) => interruption === true),
  );
  const observed = stepsWithoutInterruptions(steps, isInterruption);
  if (observed.steps.length === 0) return map.stages;
  return computeStagesByMode[mode]({
    mapId: map.id,
    stages: map.stages,
    steps: observed.steps,
    stageIdAt: (index) => stageIdAt(observed.indexes[index] ?? index),
  });
}

/**
 * Adds the error of the device's clock to the start. If the result is later than the arrival (`now`), the clock was set
 * back after the recording. Then the start stays as the device sent it, or becomes `now` if the sent start is later.
 */
function correctedStart(
  { started_at }: RecordingArgs,
  { now, deviceClockBehindMs = 0 }: ApplyContext,
): RunHeader['start'] {
  if (started_at === undefined) return { started_at: null };
  const sent = new Date(started_at);
  const sentMs = sent.getTime();
  if (deviceClockBehindMs === 0) return { started_at: sent.toISOString() };
  const nowMs = Date.parse(now);
  const shiftedMs = sentMs + deviceClockBehindMs;
  const correctedMs = Math.max(0, shiftedMs <= nowMs ? shiftedMs : Math.min(sentMs, nowMs));
  if (correctedMs === sentMs) return { started_at: sent.toISOString() };
  return { started_at: new Date(correctedMs).toISOString(), device_started_at: sent.toISOString() };
}

export const recordingMutationRules = { upload_recording, record_new_map };
