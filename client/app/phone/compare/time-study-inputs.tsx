/** The fields of a time study: takt time, precision, allowance, and the performance rating of each run. */
import type { Comparison, StudyRequest } from '../../../client.ts';
import { Field } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { clockText, percentText } from '../../text/format.ts';
import { runsTexts, studyTexts } from '../../text/phone-runs.ts';
import { readAsText } from '../parse-time.ts';
import type { RunBar } from './run-bars.ts';
import { ratingFieldName, type SettingTexts } from './time-study-settings.ts';

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

/** A field for the takt time, and a text that names the runs and stages that take longer. */
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

/** Fields for the precision and the confidence of the mean, from which the number of needed runs follows. */
export function PrecisionInputs({ texts, setText, invalid }: StudyInputsProps) {
  return (
    <details class="card study-details">
      <summary>{studyTexts.precision}</summary>
      <div class="stack">
        <Field
          label={studyTexts.distance}
          hint={studyTexts.distanceHint}
          inputMode="decimal"
          autocomplete="off"
          placeholder="5"
          value={texts['precision'] ?? ''}
          onValue={(text) => setText('precision', text)}
          error={invalid.has('precision') ? studyTexts.distanceWrong : undefined}
        />
        <RadioGroup
          label={studyTexts.confidence}
          options={{ 90: percentText(0.9), 95: percentText(0.95), 99: percentText(0.99) }}
          value={confidenceOption(texts['confidence'])}
          onValue={(confidence) => setText('confidence', confidence)}
        />
      </div>
    </details>
  );
}

const confidenceOption = (text: string | undefined): '90' | '95' | '99' =>
  text === '90' || text === '99' ? text : '95';

interface StandardTimeLineProps {
  study: StudyRequest;
  bars: RunBar[];
}

/** Prints the allowance and the ratings of the standard times, since a print leaves their fields out. */
export function StandardTimeLine({ study: { allowance, allowance_basis, ratings = [] }, bars }: StandardTimeLineProps) {
  const paces = bars.flatMap(({ id, number }) => {
    const rating = ratings.find(({ run_id }) => run_id === id);
    return rating ? [studyTexts.paceOf(number, rating.rating)] : [];
  });
  return (
    <>
      {allowance !== undefined && (
        <p class="print-only">{studyTexts.allowanceOf(allowance, studyTexts.bases[allowance_basis ?? 'day'])}</p>
      )}
      {paces.length > 0 && <p class="print-only">{studyTexts.paces(paces)}</p>}
    </>
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
