/** Stores what a person types into the editor of a step, so that Back or a reload of the page loses no text. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';
import { textsOf, typeTexts } from '../../ui/kept-texts.ts';

/**
 * Fills the editor with the texts stored under `key`, unless the step has changed since. The editor calls `keep` after
 * each input, since a browser may drop a page without an event. The editor calls `forget` once the texts are saved.
 */
export function useKeptStepTexts(key: string) {
  const editor = useRef<HTMLDivElement>(null);
  const initial = useRef<string[]>([]);
  const storageKey = `gemba-step-editor ${key}`;
  useLayoutEffect(() => {
    if (!editor.current) return;
    initial.current = textsOf(editor.current);
    const [before, typed] = parseStoredTexts(readPageStorage('sessionStorage', storageKey));
    if (typed && before?.join('\n') === initial.current.join('\n')) typeTexts(editor.current, typed);
  }, [storageKey]);
  const keep = () => {
    const texts = [initial.current, editor.current ? textsOf(editor.current) : []];
    writePageStorage('sessionStorage', storageKey, JSON.stringify(texts));
  };
  const forget = () => writePageStorage('sessionStorage', storageKey, '');
  return { editor, keep, forget };
}

const parseStoredTexts = (stored: string | null): string[][] => (stored ? JSON.parse(stored) : []);
