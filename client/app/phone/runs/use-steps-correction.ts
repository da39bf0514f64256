/** Holds the steps of a run while a person corrects them, also while another device saves a correction of the run. */
import type { RunDoc, RunStep } from '../../../client.ts';
import { useEffect, useState } from 'preact/hooks';
import { haveSameSteps } from './corrected-steps.ts';
import { correctionDraftOf, storeCorrectionDraft, type CorrectionDraft } from './correction-drafts.ts';

/** `isEditing` says that a dialog with a step is open. The steps must not change behind an open dialog. */
export function useStepsCorrection({ id, steps: saved }: RunDoc, { isEditing }: { isEditing: boolean }) {
  const [stored, setDraft] = useState<CorrectionDraft>(correctionDraftOf(id) ?? { base: saved, changes: [] });
  const isUntouched = stored.changes.length === 0 && !isEditing;
  useEffect(() => {
    if (isUntouched) setDraft({ base: saved, changes: [] });
  }, [isUntouched, saved]);
  const { base, changes }: CorrectionDraft = isUntouched ? { base: saved, changes: [] } : stored;
  const keep = (draft: CorrectionDraft) => {
    setDraft(draft);
    storeCorrectionDraft(id, draft);
  };
  const isChanged = changes.length > 0;
  return {
    steps: changes.at(-1) ?? base,
    isChanged,
    /** True if the saved steps have changed since the person began to correct them. */
    isOutdated: isChanged && !haveSameSteps(base, saved),
    change: (steps: readonly RunStep[]) => keep({ base, changes: [...changes, steps] }),
    undo: () => keep({ base, changes: changes.slice(0, -1) }),
    /**
     * Keeps the person's changes, although the saved steps have changed. Undoing all changes leads to the saved steps.
     */
    keepMine: () => keep({ base: saved, changes }),
    /** Drops the person's changes. Returns a function that restores them. */
    drop: () => {
      keep({ base: saved, changes: [] });
      return () => keep({ base, changes });
    },
  };
}
