/** The types of the arguments and of the outcome of `apply`. */
import type { Refusal } from '../protocol/problem.ts';
import type { Plan } from '../schema/account.ts';
import type { MapDoc } from '../schema/map.ts';
import type { CompleteArgs, MutationName } from '../schema/mutation.ts';
import type { RunDoc, RunRecord } from '../schema/run.ts';
import type { runLookups } from './runs-read.ts';

/** The records that `apply` reads. The server loads them for each transaction, and a device has them in memory. */
export interface DomainState {
  /** Also finds maps in the recycle bin. */
  map(mapId: string): MapDoc | undefined;
  run(runId: number): RunRecord | undefined;
  /** The server loads the steps of a run only for mutations that change the run or repeat its upload. */
  runWithSteps(runId: number): RunDoc | undefined;
  /** Returns true if a run has, or ever had, this id. */
  isRunIdTaken(runId: number): boolean;
  /** Returns true if a stage of the map has, or ever had, this id. */
  isStageIdTaken(mapId: string, stageId: number): boolean;
  /**
   * Returns the upload of a recording session, even if its run was deleted later; undefined if it was never uploaded.
   */
  recordingSession(recordingSessionId: string): KnownUpload | undefined;
  /** Finds the map's run with the highest run number, apart from `exceptRunId`; undefined if none is known. */
  newestRun(mapId: string, exceptRunId: number): Pick<RunRecord, 'created_at'> | undefined;
  /** Returns the data for the limit on maps. A device returns undefined, since only the server checks this limit. */
  mapUsage(): MapUsage | undefined;
}

/** An uploaded recording: the fingerprint of its content, its map and its run. */
export interface KnownUpload {
  fingerprint: string;
  map_id: string;
  run_id: number;
}

export interface MapUsage {
  plan: Plan;
  /** The number of maps outside the recycle bin. */
  liveMaps: number;
}

/** The further arguments of `apply`. `apply` is pure, so the caller provides the time and the ids. */
export interface ApplyContext {
  /** ISO 8601 UTC with milliseconds. */
  now: string;
  /**
   * The paired device that pushed the mutation; null for an API key. A device may push the mutations of another device.
   */
  deviceId: string | null;
  /** The first free id. The new stages and runs for which the sender gave no id get this id and the ids after it. */
  firstFreeId: number;
  /**
   * The SHA-256, in hex, of a recording's target and steps. Empty for other mutations. Empty on a device, too, since a
   * device never uploads one recording session with different targets or steps.
   */
  fingerprint: string;
  /** The server's time minus the device's time, if known. The start of a recording is corrected by this difference. */
  deviceClockBehindMs?: number;
}

/** The records that a mutation changes. The caller sets the `version` of the changed records. */
export interface ChangedRecords {
  map?: MapDoc;
  /** The run that a recording made. */
  newRun?: RunDoc;
  changedRun?: RunDoc;
  deletedRunId?: number;
}

export interface Applied {
  ok: true;
  changes: ChangedRecords;
  /** How many ids the mutation took, from `firstFreeId` on. */
  idsTaken: number;
  /** The ids of the records that the mutation changed or made; for a repeated upload, the ids from the first upload. */
  affectedIds: AffectedIds;
}

export interface AffectedIds {
  mapId: string;
  stageId?: number;
  runId?: number;
  /**
   * The ids of the stages in the order of the steps. Present if a recording replaced all stages by its steps, and all
   * fields of each stage follow from one step.
   */
  stageIdsOfSteps?: number[];
  /** True if this recording was applied before. The repetition changed nothing. */
  isRepeatedUpload?: true;
}

export interface Refused {
  ok: false;
  error: DomainRefusal;
}

/** A refusal by the rules of the domain. */
export interface DomainRefusal extends Refusal {
  code:
    | 'map_not_found'
    | 'stage_not_found'
    | 'run_not_found'
    | 'map_deleted'
    | 'map_cap_reached'
    | 'stage_ids_mismatch'
    | 'id_taken'
    | 'recording_session_mismatch'
    | 'validation_failed';
}

export type ApplyOutcome = Applied | Refused;

type StateWithoutRuns = Omit<DomainState, 'run' | 'runWithSteps' | 'isRunIdTaken' | 'recordingSession' | 'newestRun'>;
type StateOfRule<Name extends MutationName> = (typeof runLookups)[Name] extends 'none' ? StateWithoutRuns : DomainState;

/** Decides what one mutation changes, or why it is refused. */
export type MutationRule<Name extends MutationName> = (
  state: StateOfRule<Name>,
  args: CompleteArgs[Name],
  context: ApplyContext,
) => ApplyOutcome;
