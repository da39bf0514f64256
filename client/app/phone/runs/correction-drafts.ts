/** Stores unsaved corrections of runs on the device, so that leaving the screen or closing the page loses none. */
import type { RunStep } from '../../../client.ts';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

type RunSteps = readonly RunStep[];

export interface CorrectionDraft {
  /** The steps of the run when the person began to change them. */
  base: RunSteps;
  /** The run's steps as they were after each change, in the order of the changes. */
  changes: readonly RunSteps[];
}

const storageKey = 'gemba-corrections';
/** More drafts would fill the page's storage, so the draft that was changed longest ago is dropped. */
const draftsMax = 20;
/** The device stores at most this many of a run's latest changes. After a reload, a person can undo only these. */
const storedChangesMax = 20;

type DraftOfRun = readonly [runId: number, draft: CorrectionDraft];

/** The drafts by run id, the latest changed last. `drafts` also has drafts that the page's storage had no room for. */
let drafts: Map<number, CorrectionDraft> | undefined;

export function correctionDraftOf(runId: number): CorrectionDraft | undefined {
  return loadDrafts().get(runId);
}

/** Stores the draft, or removes it if it has no changes. */
export function storeCorrectionDraft(runId: number, draft: CorrectionDraft): void {
  const all = loadDrafts();
  all.delete(runId);
  if (draft.changes.length > 0) all.set(runId, draft);
  for (const oldest of [...all.keys()].slice(0, -draftsMax)) all.delete(oldest);
  // If the storage is full, stores only the latest steps of each run, without the changes to undo.
  if (!writeDrafts([...all], storedChangesMax)) writeDrafts([...all], 1);
}

function writeDrafts(all: readonly DraftOfRun[], changesMax: number): boolean {
  const shortened = all.map(([runId, { base, changes }]) => [runId, { base, changes: changes.slice(-changesMax) }]);
  return writePageStorage('localStorage', storageKey, JSON.stringify(shortened));
}

function loadDrafts(): Map<number, CorrectionDraft> {
  drafts ??= new Map(parseDrafts(readPageStorage('localStorage', storageKey) ?? '[]'));
  return drafts;
}

function parseDrafts(text: string): DraftOfRun[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter(isDraftOfRun) : [];
  } catch {
    return [];
  }
}

/** Checks the shape, since another version of the app may have stored the draft. */
function isDraftOfRun(stored: unknown): stored is DraftOfRun {
  if (!Array.isArray(stored)) return false;
  const [runId, draft] = stored;
  return (
    typeof runId === 'number' &&
    areRunSteps(draft?.base) &&
    Array.isArray(draft.changes) &&
    draft.changes.every(areRunSteps)
  );
}

const areRunSteps = (stored: unknown): stored is RunSteps =>
  Array.isArray(stored) &&
  stored.every(
    (step) =>
      typeof step?.order === 'number' &&
      typeof step.stage_name === 'string' &&
      typeof step.duration_secs === 'number' &&
      typeof step.work_type === 'string' &&
      typeof step.notes === 'string' &&
      Array.isArray(step.photos),
  );
