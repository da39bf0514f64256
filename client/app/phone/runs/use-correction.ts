/** The steps of a run while a person corrects them, and what becomes of them when another correction arrives. */
import type { RunDoc, RunStep } from '../../../client.ts';
import { useEffect, useState } from 'preact/hooks';
import { haveSameSteps } from './corrected-steps.ts';
import { correctionDraft, storeCorrectionDraft, type CorrectionDraft } from './correction-drafts.ts';

/** `isEditing` tells whether a dialog with a step is open, whose steps must not change behind it. */
export function useCorrection({ id, steps: saved }: RunDoc, { isEditing }: { isEditing: boolean }) {
  const [stored, setDraft] = useState<CorrectionDraft>(correctionDraft(id) ?? { base: saved, changes: [] });
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
    /** Whether the saved steps are no longer those that the person began to change. */
    isOutdated: isChanged && !haveSameSteps(base, saved),
    change: (steps: readonly RunStep[]) => keep({ base, changes: [...changes, steps] }),
    undo: () => keep({ base, changes: changes.slice(0, -1) }),
    /** Goes on with the changes. Undoing all of them leads to the saved steps. */
    keepMine: () => keep({ base: saved, changes }),
    /** Drops the changes. Returns a function that brings them back. */
    drop: () => {
      keep({ base: saved, changes: [] });
      return () => keep({ base, changes });
    },
  };
}
