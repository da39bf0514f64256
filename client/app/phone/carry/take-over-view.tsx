/** Shows the carrier's code to the phone that hands over, then how much the carrier has taken, and then the outcome. */
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { takeHandOverTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { OutcomeView, MeetingCode, MeetingStep } from './meeting-parts.tsx';
import { takeOverOutcomeContent } from './take-over-outcome.ts';
import { useTakeOver } from './use-take-over.ts';

interface TakeOverViewProps {
  /** The code that the camera read from the phone that hands over. */
  offer: string;
  onReadAgain(): void;
  onDone(): void;
}

export function TakeOverView({ offer, onReadAgain, onDone }: TakeOverViewProps) {
  const state = useTakeOver(offer);
  useWakeLock();
  switch (state.kind) {
    case 'preparing':
      return <p role="status">{takeHandOverTexts.preparing}</p>;
    case 'answering':
      return (
        <MeetingStep title={takeHandOverTexts.show}>
          <MeetingCode text={state.code} label={takeHandOverTexts.code} />
          <p>{takeHandOverTexts.showHow}</p>
          <p class="soft" role="status">
            {takeHandOverTexts.waiting}
          </p>
          <Button wide class="meeting-button" onClick={onReadAgain}>
            {takeHandOverTexts.readAgain}
          </Button>
        </MeetingStep>
      );
    case 'taking': {
      const { bytes = 0, answered = 0 } = state.progress ?? {};
      return (
        <MeetingStep title={takeHandOverTexts.taking}>
          <progress aria-label={takeHandOverTexts.taking} />
          <p class="meeting-count">{takeHandOverTexts.taken(sizeText(bytes))}</p>
          {answered > 0 && <p class="meeting-count">{takeHandOverTexts.answered}</p>}
          <p>{takeHandOverTexts.sealed}</p>
          <p role="status">{takeHandOverTexts.stayClose}</p>
          <Button wide class="meeting-button" onClick={onDone}>
            {takeHandOverTexts.stop}
          </Button>
        </MeetingStep>
      );
    }
    case 'ended':
      return (
        <OutcomeView words={takeOverOutcomeContent(state.outcome)}>
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
