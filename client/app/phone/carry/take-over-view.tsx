/** Shows a carrier's code for the phone that hands over, then how much the carrier has taken, and how it ended. */
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { takeHandOverTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { OutcomeView, ShownCode, Step } from './meeting-parts.tsx';
import { takeWords } from './take-over-outcome.ts';
import { useTaking } from './use-take-over.ts';

interface TakeViewProps {
  /** The code that the camera read from the phone that hands over. */
  offer: string;
  onReadAgain(): void;
  onDone(): void;
}

export function TakeView({ offer, onReadAgain, onDone }: TakeViewProps) {
  const state = useTaking(offer);
  useWakeLock();
  switch (state.kind) {
    case 'preparing':
      return <p role="status">{takeHandOverTexts.preparing}</p>;
    case 'answering':
      return (
        <Step title={takeHandOverTexts.show}>
          <ShownCode text={state.code} label={takeHandOverTexts.code} />
          <p>{takeHandOverTexts.showHow}</p>
          <p class="soft" role="status">
            {takeHandOverTexts.waiting}
          </p>
          <Button wide class="meeting-button" onClick={onReadAgain}>
            {takeHandOverTexts.readAgain}
          </Button>
        </Step>
      );
    case 'taking': {
      const { bytes = 0, answered = 0 } = state.progress ?? {};
      return (
        <Step title={takeHandOverTexts.taking}>
          <progress aria-label={takeHandOverTexts.taking} />
          <p class="meeting-count">{takeHandOverTexts.taken(sizeText(bytes))}</p>
          {answered > 0 && <p class="meeting-count">{takeHandOverTexts.answered}</p>}
          <p>{takeHandOverTexts.sealed}</p>
          <p role="status">{takeHandOverTexts.stayClose}</p>
          <Button wide class="meeting-button" onClick={onDone}>
            {takeHandOverTexts.stop}
          </Button>
        </Step>
      );
    }
    case 'ended':
      return (
        <OutcomeView words={takeWords(state.outcome)}>
          <Button look="primary" wide class="meeting-button" onClick={onDone}>
            {takeHandOverTexts.done}
          </Button>
          <Button wide class="meeting-button" onClick={onReadAgain}>
            {takeHandOverTexts.again}
          </Button>
        </OutcomeView>
      );
  }
}
