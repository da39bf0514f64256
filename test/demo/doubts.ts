/** Holds the recordings of the file against the runs of the server. */
import { isDeepStrictEqual } from 'node:util';
import type { Attention } from '../../client/client.ts';
import { runSteps } from '../../shared/domain/recording.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { HeldMap } from './held.ts';
import type { SessionRecording } from './parse-line.ts';

interface Evidence {
  recordings: SessionRecording[];
  held: HeldMap[];
  /** What the server refused. */
  refusals: Attention[];
}

/** One line for each recording that is not there once and whole; none when all is well. */
export function doubts({ recordings, held, refusals }: Evidence): string[] {
  const runs = new Map<string, RunDoc[]>();
  for (const run of held.flatMap((one) => one.runs)) {
    runs.set(run.recording_session_id, [...(runs.get(run.recording_session_id) ?? []), run]);
  }
  const reasons = new Map(refusals.map(({ args, error }) => [args['recording_session_id'], error.detail]));
  return recordings.flatMap(({ recording_session_id: session, steps }) => {
    const [run, ...more] = runs.get(session) ?? [];
    const reason = reasons.get(session);
    if (!run) return `${session} is missing${reason === undefined ? '' : `: ${reason}`}`;
    if (more.length > 0) return `${session} is there ${1 + more.length} times`;
    if (!isDeepStrictEqual(run.steps, runSteps(steps))) return `${session} is there with other steps`;
    return [];
  });
}
