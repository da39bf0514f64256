/** Compares the recordings of the file with the runs of the server. */
import { isDeepStrictEqual } from 'node:util';
import type { Attention } from '../../client/client.ts';
import { toRunSteps } from '../../shared/domain/run.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { ServerMap } from './server-runs.ts';
import type { SessionRecording } from './parse-line.ts';

interface ComparedRecordings {
  recordings: SessionRecording[];
  maps: ServerMap[];
  /** Mutations that the server refused. */
  refusals: Attention[];
}

/** Returns a line for each recording that the server lacks, has twice or has with other steps. */
export function recordingProblems({ recordings, maps, refusals }: ComparedRecordings): string[] {
  const runs = new Map<string, RunDoc[]>();
  for (const run of maps.flatMap((one) => one.runs)) {
    runs.set(run.recording_session_id, [...(runs.get(run.recording_session_id) ?? []), run]);
  }
  const reasons = new Map(refusals.map(({ args, error }) => [args['recording_session_id'], error.detail]));
  return recordings.flatMap(({ recording_session_id: session, steps }) => {
    const [run, ...more] = runs.get(session) ?? [];
    const reason = reasons.get(session);
    if (!run) return `${session} is missing${reason === undefined ? '' : `: ${reason}`}`;
    if (more.length > 0) return `${session} is there ${1 + more.length} times`;
    if (!isDeepStrictEqual(run.steps, toRunSteps(steps))) return `${session} is there with other steps`;
    return [];
  });
}
