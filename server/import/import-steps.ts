/**
 * Imports a file of steps into an account: reads the file, plans the new maps and runs, and writes them if the file has
 * no error.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportChecks } from '../../shared/import/file-recording.ts';
import { createYieldIfDue } from '../../shared/import/time-slices.ts';
import { placeRecordings } from '../../shared/import/place-recordings.ts';
import { planImport } from '../../shared/import/plan-import.ts';
import { readSteps } from '../../shared/import/read-steps.ts';
import type { ImportReport } from '../../shared/schema/integration/import-report.ts';
import { mutationArgs } from '../../shared/schema/mutation.ts';
import { RecordingBody, RecordingStep } from '../../shared/schema/recording.ts';
import type { Caller } from '../core/caller.ts';
import { sha256 } from '../core/hash.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { createValidator, type Validator } from '../core/validator.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import type { Store } from '../store/store.ts';
import { findEarlierRecordings, loadImportAccount } from './account-facts.ts';
import { writeImport } from './write-import.ts';

interface ImportRequest {
  caller: Caller;
  file: Uint8Array;
  dryRun: boolean;
  createMaps: boolean;
  isStopping(): boolean;
}

/** Refuses with `import_invalid` if the file has an error. A dry run reports errors instead. */
export async function importSteps(
  { store, queue }: { store: Store; queue: AccountQueue },
  { caller, file, dryRun, createMaps, isStopping }: ImportRequest,
): Promise<{ ok: true; report: ImportReport } | RefusedRequest> {
  const yieldIfDue = createYieldIfDue(() => nextTurn());
  const read = await readSteps(file, { checks: importChecks, yieldIfDue });
  const account = await loadImportAccount(store, caller.accountId);
  const placed = await placeRecordings(read, { account, createMaps, checks: importChecks, sha256, yieldIfDue });
  const sessionIds = placed.map(({ sessionId }) => sessionId);
  const found = await findEarlierRecordings(queue, caller, sessionIds);
  if (!found.ok) return found;
  const plan = await planImport(read, { placed, earlier: found.earlier, dryRun, yieldIfDue });
  const { report } = plan;
  if (dryRun) return { ok: true, report };
  if (report.errors_total > 0) return invalidRefusal(report);
  const written = await writeImport(plan, { queue, caller, isStopping });
  if (!written.ok) return written;
  const { repeated } = written;
  return {
    ok: true,
    report: { ...report, new: report.new - repeated, already_there: report.already_there + repeated },
  };
}

const errorFinder = (validate: Validator<unknown>) => (value: unknown) => {
  const checked = validate(value);
  return checked.ok ? [] : (checked.error.errors ?? []);
};

const importChecks: ImportChecks = {
  step: errorFinder(createValidator(RecordingStep)),
  recording: errorFinder(createValidator(RecordingBody)),
  newMap: errorFinder(createValidator(mutationArgs.create_map)),
};

function invalidRefusal(report: ImportReport): RefusedRequest {
  const { errors_total } = report;
  const [first] = report.errors;
  const place = first ? `line ${first.line}${first.column === null ? '' : `, ${first.column}`}: ${first.message}` : '';
  const count = errors_total === 1 ? '1 error' : `${errors_total} errors`;
  return {
    ok: false,
    error: {
      code: 'import_invalid',
      detail: `The file has ${count}, the first in ${place}. Nothing was written.`,
      members: { report },
    },
  };
}
