/** Reads the runs of an export in their order, about 1 MiB at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../../shared/domain/assert.ts';
import type { ExportedRun } from '../../shared/export/exported-run.ts';
import type { RunSnapshot } from '../store/snapshot/run-snapshot.ts';
import type { SelectedRun } from './select-runs.ts';

export async function* loadRuns(
  snapshot: Pick<RunSnapshot, 'load'>,
  runs: readonly SelectedRun[],
): AsyncGenerator<ExportedRun> {
  for (const ids of batchesOf(runs)) {
    const loaded = new Map((await snapshot.load(ids)).map((one) => [one.run.id, one]));
    for (const id of ids) {
      const one = loaded.get(id);
      assert(one, 'a snapshot keeps the runs that it listed');
      yield one;
    }
    await nextTurn();
  }
}

const batchBytesMax = 1024 * 1024;
const batchRunsMax = 100;

/** Yields batches of run ids, each of at most 100 runs and 1 MiB. A larger run has a batch of its own. */
function* batchesOf(runs: readonly SelectedRun[]): Generator<number[]> {
  let [ids, sum]: [number[], number] = [[], 0];
  for (const { id, bytes } of runs) {
    if (ids.length > 0 && (ids.length === batchRunsMax || sum + bytes > batchBytesMax)) {
      yield ids;
      [ids, sum] = [[], 0];
    }
    ids.push(id);
    sum += bytes;
  }
  if (ids.length > 0) yield ids;
}
