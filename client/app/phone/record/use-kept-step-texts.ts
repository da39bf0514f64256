/** Keeps what a person types into the editor of a step, also through Back and a reload of the page. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';
import { textsOf, typeTexts } from '../../ui/kept-texts.ts';

/**
 * Types the texts into the editor that were kept under `key`, unless the step has other texts now. `keep` stores the
 * texts after each change, since nothing says when a page is about to go.
 */
export function useKeptStepTexts(key: string) {
  const editor = useRef<HTMLDivElement>(null);
  const initial = useRef<string[]>([]);
  const storageKey = `gemba-step-editor ${key}`;
  useLayoutEffect(() => {
    if (!editor.current) return;
    initial.current = textsOf(editor.current);
    const [before, typed] = parseTexts(readPageStorage('sessionStorage', storageKey));
    if (typed && before?.join('\n') === initial.current.join('\n')) typeTexts(editor.current, typed);
  }, [storageKey]);
  const keep = () => {
    const texts = [initial.current, editor.current ? textsOf(editor.current) : []];
    writePageStorage('sessionStorage', storageKey, JSON.stringify(texts));
  };
  const forget = () => writePageStorage('sessionStorage', storageKey, '');
  return { editor, keep, forget };
}

const parseTexts = (stored: string | null): string[][] => (stored ? JSON.parse(stored) : []);
