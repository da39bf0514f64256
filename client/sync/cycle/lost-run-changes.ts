/**
 * Prepares the write of a pull that replaces all records of a device. If the server was restored from a backup, finds
 * the corrections and fields of runs that the server lost, so that the device sends them again. The device knows these
 * runs from earlier pulls.
 */
import { fieldsOf } from '../../../shared/domain/fields-of.ts';
import { hasEqualJson } from '../../../shared/domain/has-equal-json.ts';
import { assert } from '../../../shared/domain/assert.ts';
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { Transport } from '../net/transport.ts';
import type { PullScope } from '../scope/hooks.ts';
import type { RecordingStep } from '../../../shared/schema/recording.ts';
import type { RunDoc, RunPatch } from '../../../shared/schema/run.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { NewMutation } from '../../outbox/model/mutation.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { cursorRowId, recordRowId, type RecordBody } from '../../storage/rows.ts';
import type { Table } from '../../storage/table.ts';
import type { Base } from '../../view/base.ts';
import { emptyRunFields } from '../../outbox/model/dependents/returned-runs.ts';

interface LostRunChangesInput {
  /** The device's runs, as pulled before the restore. */
  before: Iterable<RunDoc>;
  /** The restored server's runs by id. */
  restored: ReadonlyMap<number, RunDoc>;
  /** The mutations that the device will send anyway. They may already repeat a lost change. */
  unsettled: readonly SendableEntry[];
}

/** Returns the mutations that send the lost changes again. `changes` are all records of the restored server. */
function lostRunChangesInPull(
  { base, outbox }: { base: Pick<Base, 'runs'>; outbox: Pick<Outbox, 'entries'> },
  changes: readonly RecordChange[],
): NewMutation[] {
  const runs = changes.flatMap(({ kind, doc, deleted }) => (kind === 'run' && doc && !deleted ? [doc] : []));
  return lostRunChanges({
    before: base.runs.values(),
    restored: new Map(runs.map((run) => [run.id, run])),
    unsettled: [...outbox.entries('forwarded'), ...outbox.entries('pending')],
  });
}

interface FullPullOptions {
  records: Pick<Table<RecordBody>, 'entries'>;
  base: Pick<Base, 'runs' | 'cursor'>;
  outbox: Outbox;
  scope: PullScope | undefined;
  transport: Transport;
}

interface FullPullPages {
  pages: PullResponse[];
  signal: AbortSignal;
  /** Throws if another tab has pulled since this pull began. */
  fence: () => Promise<void>;
}

/**
 * Returns the write that replaces all records of the device by these pages. If the server was restored, first appends
 * mutations that repeat lost changes of runs. After a crash, the next pull does not append them again.
 */
export async function fullPullWrite(
  { records, base, outbox, scope, transport }: FullPullOptions,
  { pages, signal, fence }: FullPullPages,
): Promise<{ changes: RecordChange[]; page: PullResponse; staleIds: string[] }> {
  const page = pages.at(-1);
  assert(page !== undefined, 'a pull has a page');
  const needed = (await scope?.neededChanges(pages, { transport, signal })) ?? [];
  const changes = [...pages.flatMap((one) => one.changes), ...needed];
  if (base.cursor && base.cursor.epoch !== page.epoch) {
    await fence();
    // Ends an aborted pull here, since it would append the mutations a second time.
    signal.throwIfAborted();
    const lost = lostRunChangesInPull({ base, outbox }, changes);
    if (lost.length > 0) await outbox.writer.append(lost);
  }
  const serverIds = new Set(changes.filter(({ deleted }) => !deleted).map(recordRowId));
  const staleIds = [...records.entries()].flatMap(([id]) => (id === cursorRowId || serverIds.has(id) ? [] : [id]));
  return { changes, page, staleIds };
}

export function lostRunChanges({ before, restored, unsettled }: LostRunChangesInput): NewMutation[] {
  const pending = new Map<number, SendableEntry[]>();
  for (const entry of unsettled) {
    const runId = entry.args['run_id'];
    if (typeof runId === 'number') pending.set(runId, [...(pending.get(runId) ?? []), entry]);
  }
  return [...before].flatMap((run) => lostChangesOfRun(run, restored.get(run.id), pending.get(run.id) ?? []));
}

function lostChangesOfRun(run: RunDoc, restored: RunDoc | undefined, pending: readonly SendableEntry[]): NewMutation[] {
  const isPending = (name: SendableEntry['name']) => pending.some((entry) => entry.name === name);
  if (isPending('delete_run')) return [];
  const steps = isPending('correct_run') ? undefined : lostSteps(run, restored);
  const changed = new Set(pending.filter(({ name }) => name === 'update_run').flatMap(({ args }) => Object.keys(args)));
  const fields = lostFields(run, restored).filter(([name]) => !changed.has(name));
  return [
    ...(steps ? [{ name: 'correct_run' as const, args: { run_id: run.id, steps } }] : []),
    ...(fields.length > 0
      ? [{ name: 'update_run' as const, args: { run_id: run.id, ...Object.fromEntries(fields) } }]
      : []),
  ];
}

/**
 * True if the server lacks the run or has an older state of it. Every write after a restore gets a higher version than
 * any write before, so a higher version is newer.
 */
const isRestoredOlder = (restored: RunDoc | undefined, run: RunDoc): boolean =>
  restored === undefined || restored.version < run.version;

/** True if a device uploaded the run again after the restore, which gives the run another time of arrival. */
const wasSentAgain = (restored: RunDoc | undefined, run: RunDoc): boolean => restored?.created_at !== run.created_at;

function lostSteps(run: RunDoc, restored: RunDoc | undefined): RecordingStep[] | undefined {
  const isLost = isRestoredOlder(restored, run) || (wasSentAgain(restored, run) && restored?.revision === undefined);
  if (run.revision === undefined || !isLost || hasEqualJson(run.steps, restored?.steps)) return undefined;
  return run.steps.map(({ value_add: _derived, ...step }) => step);
}

type LostField = [name: keyof RunPatch, value: unknown];

/**
 * Returns the fields of a run that the server lost. If the run was uploaded again after the restore, returns only
 * fields that the server has empty, since a person may have changed the others.
 */
function lostFields(run: RunDoc, restored: RunDoc | undefined): LostField[] {
  const isOlderState = isRestoredOlder(restored, run);
  if (!isOlderState && !wasSentAgain(restored, run)) return [];
  return fieldsOf(emptyRunFields).flatMap((name): LostField[] => {
    const [value, restoredValue] = [run[name] ?? emptyRunFields[name], restored?.[name] ?? emptyRunFields[name]];
    const isLost =
      !hasEqualJson(value, restoredValue) && (isOlderState || hasEqualJson(restoredValue, emptyRunFields[name]));
    return isLost ? [[name, value]] : [];
  });
}
