import { useValue } from '../../shell/engine.tsx';
import { chooseTimeNotation, timeNotation$ } from '../../shell/time-notation.ts';
import { durationText } from '../../text/format.ts';
import { syncTexts } from '../../text/phone-on-demand.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TimeText } from '../../ui/time-text.tsx';

const exampleSecs = 75;

export function TimeNotationSetting() {
  const notation = useValue(timeNotation$) ?? 'clock';
  return (
    <section class="card stack">
      <RadioGroup
        label={syncTexts.times}
        options={syncTexts.timeNotations}
        value={notation}
        onValue={chooseTimeNotation}
      />
      <p class="soft">
        <TimeText>{syncTexts.timesExample(durationText(exampleSecs))}</TimeText>
      </p>
    </section>
  );
}
