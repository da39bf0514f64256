/** Keeps what was typed into a dialog that Back, Escape or a tap beside it closed, until the page closes. */
interface KeptTexts {
  /** The texts before a person typed. Another item in the same dialog has other texts. */
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

/** Types the kept texts again, once, so that the dialog's own state has them. */
export function restoreTexts(key: string, dialog: HTMLElement): void {
  const kept = keptTexts.get(key);
  keptTexts.delete(key);
  if (!kept || kept.initial.join('\n') !== textsOf(dialog).join('\n')) return;
  for (const [index, field] of fieldsOf(dialog).entries()) {
    field.value = kept.typed[index] ?? field.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
