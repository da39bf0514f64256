/**
 * Asks the person how the recording changes the stages of the map. The app asks only if much of the map could be lost:
 * the map is a future state, or fewer than half of its stages were recorded.
 */
import type { Recording, StagesMode } from '../../client.ts';
import { Button } from '../ui/button.tsx';
import { keysOf } from '../ui/keys-of.ts';
import type { RecordedMap } from '../recorder/recorded-map.ts';
import { recordedStageCount } from '../recorder/finish-mode.ts';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';
import { WatchFrame } from './frame.tsx';
import { RoundButton } from './round-button.tsx';

interface StagesQuestionProps {
  map: RecordedMap;
  recording: Recording;
  onMode(mode: StagesMode): void;
  onBack(): void;
}

export function StagesQuestion({ map, recording: { steps }, onMode, onBack }: StagesQuestionProps) {
  const { ask } = watchTexts;
  return (
    <WatchFrame class="watch-choice" stepCount={steps.length}>
      <h1>{map.state === 'future' ? ask.future : ask.partial(recordedStageCount(map, steps), map.stages.length)}</h1>
      <ul class="watch-choices" role="list">
        {keysOf(ask.modes).map((mode) => (
          <li key={mode}>
            <Button wide onClick={() => onMode(mode)}>
              {ask.modes[mode]}
            </Button>
          </li>
        ))}
      </ul>
      <RoundButton icon="back" label={texts.back} onClick={onBack} />
    </WatchFrame>
  );
}
