/**
 * The steps of a run while a person corrects them. Unsaved changes are kept until the page closes, since one key or one
 * tap leaves the screen.
 */
import { useState } from 'preact/hooks';
import type { RunDoc, RunStep } from '../../../../shared/schema/run.ts';

type Steps = readonly RunStep[];

/** The steps after each change. The first entry has the saved steps. */
type History = readonly Steps[];

const unsaved = new Map<string, History>();

export function useCorrection({ id, revision = 1, steps: saved }: RunDoc) {
  const key = `${id} ${revision}`;
  const [history, setHistory] = useState<History>(unsaved.get(key) ?? [saved]);
  const keep = (changed: History) => {
    setHistory(changed);
    if (changed.length > 1) unsaved.set(key, changed);
    else unsaved.delete(key);
  };
  return {
    steps: history.at(-1) ?? saved,
    isChanged: history.length > 1,
    change: (steps: Steps) => keep([...history, steps]),
    undo: () => keep(history.slice(0, -1)),
    forget: () => unsaved.delete(key),
  };
}
