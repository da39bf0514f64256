/** Saves the unsent work of this device as a file, and reads such a file of another device. */
import { useRef } from 'preact/hooks';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { accountTexts } from '../../text/phone-account.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';

export function UnsentWork() {
  const gemba = useGemba();
  const pending = useValue(gemba.status$)?.pending ?? 0;
  const input = useRef<HTMLInputElement>(null);
  const save = () =>
    succeededOrToast(
      gemba.exportUnsent().then((file) => {
        download(new Blob([JSON.stringify(file)], { type: 'application/json' }), fileName(new Date()));
      }),
    );
  const read = async (file: File) => {
    const importing = file.text().then((text) => gemba.importUnsent(text));
    if (await succeededOrToast(importing)) showToast({ text: accountTexts.imported((await importing).mutations) });
  };
  return (
    <section class="card stack">
      <h2>{accountTexts.unsent}</h2>
      <p>{accountTexts.pending(pending)}</p>
      <p class="soft small">{accountTexts.unsentWhy}</p>
      <div class="actions">
        <Button onClick={() => void save()}>{accountTexts.export}</Button>
        <Button onClick={() => input.current?.click()}>{accountTexts.import}</Button>
      </div>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={accountTexts.import}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // Clear the field, so that the person can choose the same file again.
          if (file) void read(file).finally(() => (currentTarget.value = ''));
        }}
      />
    </section>
  );
}

const fileName = (now: Date): string => `gemba-unsent-${now.toISOString().slice(0, 10)}.json`;

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
