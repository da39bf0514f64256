/**
 * The texts of a dialog that Back, Escape or a tap beside the dialog closed. The page keeps these texts until the
 * dialog opens again; a closed page loses them.
 */
interface KeptTexts {
  /**
   * The texts of the fields when the dialog opened. A dialog gets the typed texts back only if it opens with the same
   * texts.
   */
  initial: string[];
  typed: string[];
}

const keptTexts = new Map<string, KeptTexts>();

const fieldsOf = (dialog: HTMLElement) => [
  ...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type=radio], [type=checkbox]), textarea',
  ),
];

export const textsOf = (dialog: HTMLElement): string[] => fieldsOf(dialog).map(({ value }) => value);

export function keepTexts(key: string, texts: KeptTexts): void {
  if (texts.typed.join('\n') !== texts.initial.join('\n')) keptTexts.set(key, texts);
}

/** Types the kept texts into the dialog if its fields have the `initial` texts. Forgets the kept texts in any case. */
export function restoreTexts(key: string, dialog: HTMLElement): void {
  const kept = keptTexts.get(key);
  keptTexts.delete(key);
  if (!kept || kept.initial.join('\n') !== textsOf(dialog).join('\n')) return;
  typeTexts(dialog, kept.typed);
}

/** Types the texts into the fields, as a person would, so that the state of the views gets them. */
export function typeTexts(dialog: HTMLElement, texts: readonly string[]): void {
  for (const [index, field] of fieldsOf(dialog).entries()) {
    field.value = texts[index] ?? field.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
