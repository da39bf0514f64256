/**
 * Makes the support bundle as a file to save or share. A browser shares a file only directly after a tap. One tap
 * therefore makes the file, and a second tap shares it.
 */
import type { Inspector } from '../../inspect/inspector.ts';
import type { BundleOptions } from '../../inspect/support/support-bundle.ts';
import { button, checkbox, element, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';
import { replaceContent } from '../replace-content.ts';

interface SupportOptions {
  inspector: Pick<Inspector, 'supportBundle'>;
  context: PanelContext;
  settings: () => NonNullable<BundleOptions['settings']>;
}

export function createSupportContent({ inspector, context, settings }: SupportOptions): Child[] {
  const { support } = context.texts;
  let texts = false;
  const file = element('div', { class: 'file', role: 'status' });
  const actions = element('div', { class: 'actions' });
  const showStatus = (text: string, buttons: Child[] = []) => {
    replaceContent(file, [text]);
    replaceContent(actions, buttons);
  };
  /** Counts attempts and changes of the checkbox. If the count rises while a file is made, that file is not offered. */
  let attempts = 0;
  const make = async () => {
    const attempt = ++attempts;
    showStatus(support.making);
    try {
      const bundle = await inspector.supportBundle({ texts, settings: settings() });
      if (attempt !== attempts) return;
      const { saved, shared } = toBundleFiles(bundle);
      const buttons: HTMLButtonElement[] = [button(support.save, () => saveFile(saved))];
      if (canShare(shared))
        buttons.push(button(support.share, () => void shareFile(shared, () => showStatus(support.notShared, buttons))));
      showStatus(support.made(saved.name, context.size(saved.size)), buttons);
      buttons[0]?.focus();
    } catch {
      if (attempt === attempts) showStatus(support.failed);
    }
  };
  return [
    element('p', { class: 'soft' }, support.why),
    checkbox(support.include, false, (isOn) => {
      texts = isOn;
      attempts++;
      // Hide a file that was made before this change.
      showStatus('');
    }),
    button(support.make, () => void make()),
    file,
    actions,
  ];
}

interface BundleFiles extends Record<'saved' | 'shared', File> {}

/** Makes two files with the same content, since Chromium shares text files but no JSON files. */
function toBundleFiles(bundle: { taken_at: string }): BundleFiles {
  const name = `gemba-support-${bundle.taken_at.slice(0, 19).replaceAll(':', '-')}`;
  const content = [JSON.stringify(bundle, null, 1)];
  return {
    saved: new File(content, `${name}.json`, { type: 'application/json' }),
    shared: new File(content, `${name}.txt`, { type: 'text/plain' }),
  };
}

/**
 * How long the file's address stays valid. The browser reads the file late if it first asks the person for a folder.
 */
const addressMsMax = 10 * 60_000;

function saveFile(file: File): void {
  const href = URL.createObjectURL(file);
  element('a', { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), addressMsMax);
}

const canShare = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] });

async function shareFile(file: File, onFailure: () => void): Promise<void> {
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // A person who cancels needs no message.
    if (!(error instanceof DOMException && error.name === 'AbortError')) onFailure();
  }
}
