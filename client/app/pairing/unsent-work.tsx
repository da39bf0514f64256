/** Shows the work that only this device has, so that nobody believes the work is lost. */
import { useContext } from 'preact/hooks';
import { FaceContext, useGemba, useValue } from '../shell/engine.tsx';
import { pairTexts } from '../text/pairing.ts';
import { texts } from '../text/texts.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { GembaError } from '../../client.ts';
import { saveUnsentFile } from './unsent-file.ts';

interface UnsentCounts {
  pending: number;
  attention: number;
  /** The steps of the recording under way; undefined if there is none. */
  steps: number | undefined;
}

export function useUnsentCounts(): UnsentCounts {
  const gemba = useGemba();
  const { pending = 0, attention = 0 } = useValue(gemba.status$) ?? {};
  return { pending, attention, steps: useValue(gemba.recording$)?.steps.length };
}

export const hasUnsentWork = ({ pending, attention, steps }: UnsentCounts): boolean =>
  pending > 0 || attention > 0 || steps !== undefined;

/** Shows the unsent work that does not count as pending: the recording under way and the refused changes. */
export function RecordingAndRefusals({ counts: { steps, attention } }: { counts: UnsentCounts }) {
  const { unsent } = pairTexts;
  return (
    <>
      {steps !== undefined && <p>{unsent.recording(steps)}</p>}
      {attention > 0 && <p>{unsent.attention(attention)}</p>}
    </>
  );
}

/** Saves the unsent work as a file. Shows a message if there is no such work, or if it cannot be read. */
export function SaveUnsentButton({ disabled }: { disabled?: boolean }) {
  const gemba = useGemba();
  const save = async () => {
    try {
      if (!(await saveUnsentFile(gemba))) showToast({ text: pairTexts.unsent.none });
    } catch (error) {
      if (!(error instanceof GembaError)) throw error;
      showToast({ text: texts.errorText(error) });
    }
  };
  return (
    <Button disabled={disabled} onClick={save}>
      {pairTexts.unsent.save}
    </Button>
  );
}

/**
 * Lists the unsent work on the pairing screen. Without `onContinue`, the card has no button to continue without
 * pairing.
 */
export function UnsentWorkCard({
  counts,
  onContinue,
}: {
  counts: UnsentCounts;
  onContinue?: (() => void) | undefined;
}) {
  const face = useContext(FaceContext);
  const { unsent } = pairTexts;
  return (
    <section class="card stack">
      <h2>{unsent.title}</h2>
      {counts.pending > 0 && <p>{unsent.pending(counts.pending)}</p>}
      <RecordingAndRefusals counts={counts} />
      <p class="soft small">{unsent.whenSent}</p>
      <div class="actions">
        {face !== 'watch' && <SaveUnsentButton />}
        {onContinue && <Button onClick={onContinue}>{unsent.continue}</Button>}
      </div>
    </section>
  );
}
