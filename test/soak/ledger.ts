/** A ledger has the recordings that people saw acknowledged; the check names how the server's runs differ from it. */
import type { RunDoc } from '../../shared/schema/run.ts';

export interface KnownRecording {
  session: string;
  /** The steps that were acknowledged. The recording may have one more, whose acknowledgement a crash lost. */
  steps: number;
  /** True from the moment when it was told to finish, whether or not that was acknowledged. */
  mayBeFinished: boolean;
}

export interface DeviceLedger {
  name: string;
  /** The recordings in the order in which they were begun. */
  recordings: KnownRecording[];
}

export const stepName = (position: number): string => `Step ${position}`;

/** Whether these are the first steps of a recording, as many as were acknowledged or one more. */
export const isWhole = (names: readonly string[], steps: number): boolean =>
  (names.length === steps || names.length === steps + 1) && names.every((name, index) => name === stepName(index + 1));

/** Names each recording that the server lacks, has twice, has in part or has in another order than its device. */
export function recordingProblems(
  devices: readonly DeviceLedger[],
  runs: readonly Pick<RunDoc, 'recording_session_id' | 'number' | 'map_id' | 'steps'>[],
): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const { name, recordings } of devices) {
    const last = new Map<string, number>();
    for (const { session, steps } of recordings) {
      known.add(session);
      const [run, ...others] = runs.filter(({ recording_session_id }) => recording_session_id === session);
      if (others.length > 0) problems.push(`${name}: ${session} is ${others.length + 1} runs`);
      if (!run) {
        if (steps > 0) problems.push(`${name}: ${session} with ${steps} steps is lost`);
        continue;
      }
      const names = run.steps.map(({ stage_name }) => stage_name);
      if (!isWhole(names, steps)) problems.push(`${name}: ${session} has ${names.join(', ')}, not ${steps} steps`);
      if (run.number <= (last.get(run.map_id) ?? 0)) problems.push(`${name}: ${session} is out of order`);
      last.set(run.map_id, run.number);
    }
  }
  for (const { recording_session_id } of runs) {
    if (!known.has(recording_session_id)) problems.push(`${recording_session_id} is of no device`);
  }
  return problems;
}
