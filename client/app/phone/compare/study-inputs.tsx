/** Fields for the takt time, the allowance and the performance rating of each run. */
import type { Comparison } from '../../../../shared/schema/run.ts';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { clockText } from '../../text/format.ts';
import { runsTexts, studyTexts } from '../../text/phone-runs.ts';
import { readAsText } from '../parse-time.ts';
import type { RunBar } from './run-bars.ts';
import { ratingFieldName, type SettingTexts } from './study-settings.ts';

interface StudyInputsProps {
  texts: SettingTexts;
  setText(field: string, text: string): void;
  invalid: ReadonlySet<string>;
}

interface TaktInputProps extends StudyInputsProps {
  taktSecs: number | undefined;
  bars: RunBar[];
  comparison: Comparison;
}

/** A field for the takt time, and a text that names the runs and stages over the takt time. */
export function TaktInput({ texts, setText, invalid, taktSecs, bars, comparison }: TaktInputProps) {
  const counted = bars.filter(({ isLeftOut }) => !isLeftOut);
  const over = taktSecs === undefined ? [] : counted.filter(({ secs }) => secs > taktSecs);
  const typed = texts['takt'] ?? '';
  const example = clockText(90);
  const stages = comparison.stages.filter(({ over_takt }) => over_takt);
  return (
    <section class="card stack" aria-label={studyTexts.takt}>
      <Field
        label={studyTexts.takt}
        hint={studyTexts.taktHint(example)}
        autocomplete="off"
        placeholder={example}
        value={typed}
        onValue={(text) => setText('takt', text)}
        readAs={taktSecs === undefined ? '' : readAsText(typed, taktSecs)}
        error={invalid.has('takt') ? studyTexts.taktWrong(example) : undefined}
      />
      {taktSecs !== undefined && (
        <p role="status">
          {over.length === 0
            ? studyTexts.within
            : studyTexts.runsOver(
                over.map(({ number }) => number),
                counted.length,
              )}
          {stages.length > 0 && ` ${studyTexts.stagesOver(stages.map(({ stage_name }) => stage_name))}`}
        </p>
      )}
    </section>
  );
}

export function StandardTimeInputs({ texts, setText, invalid, bars }: StudyInputsProps & { bars: RunBar[] }) {
  return (
    <details class="card study-details">
      <summary>{studyTexts.standard}</summary>
      <div class="stack">
        <Field
          label={studyTexts.allowance}
          hint={studyTexts.allowanceHint}
          inputMode="decimal"
          autocomplete="off"
          placeholder="15"
          value={texts['allowance'] ?? ''}
          onValue={(text) => setText('allowance', text)}
          error={invalid.has('allowance') ? studyTexts.allowanceWrong : undefined}
        />
        <RadioGroup
          label={studyTexts.basis}
          options={studyTexts.bases}
          value={texts['basis'] === 'job' ? 'job' : 'day'}
          onValue={(basis) => setText('basis', basis)}
        />
        <fieldset class="study-ratings">
          <legend>{studyTexts.ratings}</legend>
          <p class="field-hint">{studyTexts.ratingsHint}</p>
          {bars.map(({ id, number: nth }) => (
            <Field
              key={id}
              label={runsTexts.run(nth)}
              inputMode="decimal"
              autocomplete="off"
              placeholder="100"
              value={texts[ratingFieldName(id)] ?? ''}
              onValue={(text) => setText(ratingFieldName(id), text)}
              error={invalid.has(ratingFieldName(id)) ? studyTexts.ratingWrong : undefined}
            />
          ))}
        </fieldset>
      </div>
    </details>
  );
}
