/**
 * Keeps the unsaved corrections of runs on the device, so that neither leaving the screen nor closing the page loses
 * them.
 */
import type { RunStep } from '../../../client.ts';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

type Steps = readonly RunStep[];

export interface CorrectionDraft {
  /** The saved steps that the person began to change. */
  base: Steps;
  /** The steps after each change, the latest last. */
  changes: readonly Steps[];
}

const storageKey = 'gemba-corrections';
/** The drafts of more runs would fill the page's storage. The draft that was changed longest ago is dropped. */
const draftsMax = 20;
/** How many changes can be undone after a reload. */
const storedChangesMax = 20;

type DraftOfRun = readonly [runId: number, draft: CorrectionDraft];

/** The drafts by run, the one changed last at the end. Keeps what the page's storage refuses. */
let drafts: Map<number, CorrectionDraft> | undefined;

export function correctionDraft(runId: number): CorrectionDraft | undefined {
  return allDrafts().get(runId);
}

/** Stores the draft, or removes it if it has no changes. */
export function storeCorrectionDraft(runId: number, draft: CorrectionDraft): void {
  const all = allDrafts();
  all.delete(runId);
  if (draft.changes.length > 0) all.set(runId, draft);
  for (const oldest of [...all.keys()].slice(0, -draftsMax)) all.delete(oldest);
  // A full storage keeps the latest steps of each run without their undos.
  if (!write([...all], storedChangesMax)) write([...all], 1);
}

function write(all: readonly DraftOfRun[], changesMax: number): boolean {
  const shortened = all.map(([runId, { base, changes }]) => [runId, { base, changes: changes.slice(-changesMax) }]);
  return writePageStorage('localStorage', storageKey, JSON.stringify(shortened));
}

function allDrafts(): Map<number, CorrectionDraft> {
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

/** An older version of the app may have stored a draft of another shape. */
function isDraftOfRun(stored: unknown): stored is DraftOfRun {
  if (!Array.isArray(stored)) return false;
  const [runId, draft] = stored;
  return (
    typeof runId === 'number' && isSteps(draft?.base) && Array.isArray(draft.changes) && draft.changes.every(isSteps)
  );
}

const isSteps = (stored: unknown): stored is Steps =>
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
