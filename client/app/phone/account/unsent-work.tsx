/** Saves the unsent work of this device as a file, and reads such a file of another device. */
import { useRef } from 'preact/hooks';
import { useGemba } from '../../shell/engine.tsx';
import { hasUnsentWork, RecordingAndRefusals, SaveUnsentButton, useUnsentCounts } from '../../pairing/unsent-work.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { accountTexts } from '../../text/phone-account.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';

export function UnsentWork() {
  const gemba = useGemba();
  const counts = useUnsentCounts();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    const importing = file.text().then((text) => gemba.importUnsent(text));
    if (await succeededOrToast(importing)) showToast({ text: accountTexts.imported((await importing).mutations) });
  };
  return (
    <section class="card stack">
      <h2>{accountTexts.unsent}</h2>
      {(counts.pending > 0 || !hasUnsentWork(counts)) && <p>{accountTexts.pending(counts.pending)}</p>}
      <RecordingAndRefusals counts={counts} />
      <p class="soft small">{accountTexts.unsentWhy}</p>
      <div class="actions">
        <SaveUnsentButton disabled={!hasUnsentWork(counts)} />
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
          // The browser reports the same file again only if the field was cleared.
          if (file) void read(file).finally(() => (currentTarget.value = ''));
        }}
      />
    </section>
  );
}
