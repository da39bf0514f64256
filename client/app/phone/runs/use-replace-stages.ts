import type { FullMap, StageReplacement } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { stageReplacementOf } from '../maps/map-copy.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';

/** Replaces the stages of a map by one mutation. Undo restores the earlier stages by another mutation. */
export function useReplaceStages({ id, stages: before }: Pick<FullMap, 'id' | 'stages'>, onSaved: () => void) {
  const gemba = useGemba();
  const [isSaving, setSaving] = useState(false);
  const save = async (stages: StageReplacement[], text: string) => {
    setSaving(true);
    const isSaved = await succeededOrToast(gemba.replaceStages(id, stages)).finally(() => setSaving(false));
    if (!isSaved) return;
    onSaved();
    const undo = () => void succeededOrToast(gemba.replaceStages(id, before.map(stageReplacementOf)));
    showToast({ text, undo });
  };
  return { isSaving, save };
}
