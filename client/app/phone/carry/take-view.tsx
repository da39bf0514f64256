/** Shows this phone's code to the phone that hands over, and then how much was taken. */
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { takeTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { OutcomeView, ShownCode, Step } from './meeting-parts.tsx';
import { takeWords } from './take-outcome.ts';
import { useTaking } from './use-taking.ts';

interface TakeViewProps {
  /** The code of the phone that hands over. */
  offer: string;
  onReadAgain(): void;
  onDone(): void;
}

export function TakeView({ offer, onReadAgain, onDone }: TakeViewProps) {
  const state = useTaking(offer);
  useWakeLock();
  switch (state.kind) {
    case 'preparing':
      return <p role="status">{takeTexts.preparing}</p>;
    case 'answering':
      return (
        <Step title={takeTexts.show}>
          <ShownCode text={state.code} label={takeTexts.code} />
          <p>{takeTexts.showHow}</p>
          <p class="soft" role="status">
            {takeTexts.waiting}
          </p>
          <Button wide class="meeting-button" onClick={onReadAgain}>
            {takeTexts.readAgain}
          </Button>
        </Step>
      );
    case 'taking': {
      const { bytes = 0, answered = 0 } = state.progress ?? {};
      return (
        <Step title={takeTexts.taking}>
          <progress aria-label={takeTexts.taking} />
          <p class="meeting-count">{takeTexts.taken(sizeText(bytes))}</p>
          {answered > 0 && <p class="meeting-count">{takeTexts.answered}</p>}
          <p>{takeTexts.sealed}</p>
          <p role="status">{takeTexts.stayClose}</p>
          <Button wide class="meeting-button" onClick={onDone}>
            {takeTexts.stop}
          </Button>
        </Step>
      );
    }
    case 'ended':
      return (
        <OutcomeView words={takeWords(state.outcome)}>
          <Button look="primary" wide class="meeting-button" onClick={onDone}>
            {takeTexts.done}
          </Button>
          <Button wide class="meeting-button" onClick={onReadAgain}>
            {takeTexts.again}
          </Button>
        </OutcomeView>
      );
  }
}
