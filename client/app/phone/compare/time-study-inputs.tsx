/** The fields of a time study: takt time, precision, allowance, and the performance rating of each run. */
import type { Comparison, StudyRequest } from '../../../client.ts';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { clockText, percentText } from '../../text/format.ts';
import { runsTexts, timeStudyTexts } from '../../text/phone-runs.ts';
import { understoodTimeText } from '../parse-time.ts';
import type { RunBar } from './run-bars.ts';
import { ratingFieldName, type SettingTexts } from './time-study-settings.ts';

interface TimeStudyInputsProps {
  texts: SettingTexts;
  setText(field: string, text: string): void;
  invalid: ReadonlySet<string>;
}

interface TaktInputProps extends TimeStudyInputsProps {
  taktSecs: number | undefined;
  bars: RunBar[];
  comparison: Comparison;
}

/** A field for the takt time, and a text that names the runs and stages that take longer. */
export function TaktInput({ texts, setText, invalid, taktSecs, bars, comparison }: TaktInputProps) {
  const counted = bars.filter(({ isLeftOut }) => !isLeftOut);
  const over = taktSecs === undefined ? [] : counted.filter(({ secs }) => secs > taktSecs);
  const typed = texts['takt'] ?? '';
  const example = clockText(90);
  const stages = comparison.stages.filter(({ over_takt }) => over_takt);
  return (
    <section class="card stack" aria-label={timeStudyTexts.takt}>
      <Field
        label={timeStudyTexts.takt}
        hint={timeStudyTexts.taktHint(example)}
        autocomplete="off"
        placeholder={example}
        value={typed}
        onValue={(text) => setText('takt', text)}
        readAs={taktSecs === undefined ? '' : understoodTimeText(typed, taktSecs)}
        error={invalid.has('takt') ? timeStudyTexts.taktWrong(example) : undefined}
      />
      {taktSecs !== undefined && (
        <p role="status">
          {over.length === 0
            ? timeStudyTexts.within
            : timeStudyTexts.runsOver(
                over.map(({ number }) => number),
                counted.length,
              )}
          {stages.length > 0 && ` ${timeStudyTexts.stagesOver(stages.map(({ stage_name }) => stage_name))}`}
        </p>
      )}
    </section>
  );
}

/** Fields for the precision and the confidence of the mean, from which the number of needed runs follows. */
export function PrecisionInputs({ texts, setText, invalid }: TimeStudyInputsProps) {
  return (
    <details class="card study-details">
      <summary>{timeStudyTexts.precision}</summary>
      <div class="stack">
        <Field
          label={timeStudyTexts.distance}
          hint={timeStudyTexts.distanceHint}
          inputMode="decimal"
          autocomplete="off"
          placeholder="5"
          value={texts['precision'] ?? ''}
          onValue={(text) => setText('precision', text)}
          error={invalid.has('precision') ? timeStudyTexts.distanceWrong : undefined}
        />
        <RadioGroup
          label={timeStudyTexts.confidence}
          options={{ 90: percentText(0.9), 95: percentText(0.95), 99: percentText(0.99) }}
          value={confidenceOptionOf(texts['confidence'])}
          onValue={(confidence) => setText('confidence', confidence)}
        />
      </div>
    </details>
  );
}

const confidenceOptionOf = (text: string | undefined): '90' | '95' | '99' =>
  text === '90' || text === '99' ? text : '95';

interface StandardTimeLineProps {
  study: StudyRequest;
  bars: RunBar[];
}

/** Shows the allowance and the ratings only in a print, since a print leaves out the fields for them. */
export function StandardTimeLine({ study: { allowance, allowance_basis, ratings = [] }, bars }: StandardTimeLineProps) {
  const paces = bars.flatMap(({ id, number }) => {
    const rating = ratings.find(({ run_id }) => run_id === id);
    return rating ? [timeStudyTexts.paceOf(number, rating.rating)] : [];
  });
  return (
    <>
      {allowance !== undefined && (
        <p class="print-only">
          {timeStudyTexts.allowanceOf(allowance, timeStudyTexts.bases[allowance_basis ?? 'day'])}
        </p>
      )}
      {paces.length > 0 && <p class="print-only">{timeStudyTexts.paces(paces)}</p>}
    </>
  );
}

export function StandardTimeInputs({ texts, setText, invalid, bars }: TimeStudyInputsProps & { bars: RunBar[] }) {
  return (
    <details class="card study-details">
      <summary>{timeStudyTexts.standard}</summary>
      <div class="stack">
        <Field
          label={timeStudyTexts.allowance}
          hint={timeStudyTexts.allowanceHint}
          inputMode="decimal"
          autocomplete="off"
          placeholder="15"
          value={texts['allowance'] ?? ''}
          onValue={(text) => setText('allowance', text)}
          error={invalid.has('allowance') ? timeStudyTexts.allowanceWrong : undefined}
        />
        <RadioGroup
          label={timeStudyTexts.basis}
          options={timeStudyTexts.bases}
          value={texts['basis'] === 'job' ? 'job' : 'day'}
          onValue={(basis) => setText('basis', basis)}
        />
        <fieldset class="study-ratings">
          <legend>{timeStudyTexts.ratings}</legend>
          <p class="field-hint">{timeStudyTexts.ratingsHint}</p>
          {bars.map(({ id, number: nth }) => (
            <Field
              key={id}
              label={runsTexts.run(nth)}
              inputMode="decimal"
              autocomplete="off"
              placeholder="100"
              value={texts[ratingFieldName(id)] ?? ''}
              onValue={(text) => setText(ratingFieldName(id), text)}
              error={invalid.has(ratingFieldName(id)) ? timeStudyTexts.ratingWrong : undefined}
            />
          ))}
        </fieldset>
      </div>
    </details>
  );
}
