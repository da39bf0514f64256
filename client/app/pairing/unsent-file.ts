import type { Gemba } from '../../client.ts';

/** Saves the unsent work of this device as a file. Returns false, and saves none, if there is no unsent work. */
export async function saveUnsentFile(gemba: Pick<Gemba, 'exportUnsent'>): Promise<boolean> {
  const file = await gemba.exportUnsent();
  if (file.mutations.length === 0 && file.draft.length === 0) return false;
  download(new Blob([JSON.stringify(file)], { type: 'application/json' }), fileName(new Date()));
  return true;
}

const fileName = (now: Date): string => `gemba-unsent-${now.toISOString().slice(0, 10)}.json`;

/** How long the browser may take to read the content. Safari, and a browser that asks for a folder, read it late. */
const readMsMax = 10 * 60_000;

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), readMsMax);
}
