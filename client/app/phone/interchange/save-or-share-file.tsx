/**
 * Saves or shares a finished file. A browser shares a file only right after a tap, so an earlier tap makes the file.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { saveFile } from '../../pairing/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { exportTexts } from '../../text/interchange/phone-interchange.ts';
import { sizeText } from '../../ui/size-text.ts';

interface SaveOrShareFileProps {
  file: File;
  /** Says what is in the file, such as the number of runs. */
  content: string;
}

export function SaveOrShareFile({ file, content }: SaveOrShareFileProps) {
  const [isRefused, setRefused] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The button that made the file disappears, so the first button here takes the focus.
  useEffect(() => section.current?.querySelector('button')?.focus(), []);
  const share = async () => {
    try {
      await navigator.share({ files: [file] });
      setRefused(false);
    } catch (error) {
      // `AbortError`: the person closed the share sheet, and needs no message.
      setRefused(!(error instanceof DOMException && error.name === 'AbortError'));
    }
  };
  return (
    <section ref={section} class="stack export-file" aria-label={exportTexts.ready}>
      <p role="status">
        <span class="visually-hidden">{exportTexts.ready}</span> <strong>{file.name}</strong>
        <br />
        <span class="soft">{exportTexts.facts(content, sizeText(file.size))}</span>
      </p>
      <div class="actions">
        <Button look="primary" onClick={() => saveFile(file, file.name)}>
          {exportTexts.save}
        </Button>
        {canShare(file) && <Button onClick={() => void share()}>{exportTexts.share}</Button>}
      </div>
      {isRefused && (
        <p class="field-error" role="alert">
          {exportTexts.notShared}
        </p>
      )}
    </section>
  );
}

/** Browsers share only some types of files: Chromium on Android shares CSV and pictures, but no spreadsheets. */
const canShare = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] });
