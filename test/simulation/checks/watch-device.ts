/** Watches what a device shows: each state of its sync, and that no view is torn. */
import { Subscription } from 'rxjs';
import { distinctUntilChanged, map, take } from 'rxjs/operators';
import type { Gemba, Status } from '../../../client/client.ts';
import { stageNames, type Step } from '../fleet/works.ts';

export interface DeviceWatch {
  /** Whether the device holds all runs of all maps. */
  holdsAllRuns: boolean;
  onStatus: (status: Status) => void;
  onTorn: (detail: string) => void;
}

export function watchDevice(gemba: Gemba, { holdsAllRuns, onStatus, onTorn }: DeviceWatch): Subscription {
  const watching = new Subscription();
  watching.add(gemba.status$.pipe(distinctUntilChanged((a, b) => lineOf(a) === lineOf(b))).subscribe(onStatus));
  if (holdsAllRuns) {
    watching.add(gemba.maps$.subscribe((maps) => maps.forEach((one) => expectWholeMap(gemba, one, onTorn))));
  }
  watching.add(
    gemba.attention$.pipe(map((refused) => refused.map(({ seq }) => seq))).subscribe((seqs) => {
      if (new Set(seqs).size !== seqs.length) onTorn(`attention has a number twice: ${seqs.join(' ')}`);
    }),
  );
  return watching;
}

/** Calls `onServer` when the device says that the server has the recording. */
export function watchCustody(
  gemba: Gemba,
  { session, steps }: { session: string; steps: readonly Step[] },
  onServer: (steps: string) => void,
): Subscription {
  return gemba.custody$(session).subscribe((custody) => {
    if (custody === 'server') onServer(stageNames(steps));
  });
}

/** A recording adds a run and changes its map at once, so no view shows one without the other, or a run twice. */
function expectWholeMap(
  gemba: Gemba,
  { id, name, run_count }: { id: string; name: string; run_count: number },
  onTorn: (detail: string) => void,
): void {
  const reading = gemba.runs$(id).pipe(take(1));
  reading.subscribe((runs) => {
    if (runs.length !== run_count) onTorn(`the map ${name} says ${run_count} runs and shows ${runs.length}`);
    if (new Set(runs.map((run) => run.id)).size !== runs.length) onTorn(`the map ${name} shows a run twice`);
  });
}

/** The status in a line of the trace. */
export const lineOf = ({ phase, pending, attention, error }: Status): string =>
  `is ${phase}, ${pending} pending, ${attention} need attention${error ? `, ${error.code}` : ''}`;

/** The status as a state that a search wants to have seen. */
export const stateOf = ({ phase, error, pending, attention, second_copy }: Status): string =>
  [
    phase,
    error?.code ?? 'no error',
    pending > 0 ? 'pending' : 'all sent',
    attention > 0 ? 'attention' : '',
    second_copy,
  ]
    .filter((part) => part !== '')
    .join(', ');
