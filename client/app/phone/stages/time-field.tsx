/** A field for a length of time: a number and its unit. */
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { phoneTexts } from '../../text/phone.ts';

const { noTime, unit: unitLabel, units } = phoneTexts.stage;

type TimeUnit = keyof typeof units;

interface TimeText {
  text: string;
  unit: TimeUnit;
}

const hrsPerUnit: Record<TimeUnit, number> = { second: 1 / 3_600, minute: 1 / 60, hour: 1, day: 24 };
const hrsMax = 1_000_000;
/** In ascending order. */
const unitNames = keysOf(hrsPerUnit);

/** Converts hours to text in the largest unit in which the number is at least 1; shows 0 in minutes. */
function timeText(hrs: number): TimeText {
  const largest = unitNames.findLast((unit) => hrs >= hrsPerUnit[unit]);
  const unit = hrs === 0 ? 'minute' : (largest ?? 'second');
  return { text: String(Number((hrs / hrsPerUnit[unit]).toPrecision(6))), unit };
}

/** Converts a text to hours; NaN if the text is no number or too large. */
function parseHrs({ text, unit }: TimeText): number {
  const hrs = Number(text.trim().replace(',', '.')) * hrsPerUnit[unit];
  return hrs >= 0 && hrs <= hrsMax ? hrs : Number.NaN;
}

/** The state of a `TimeField`; `field` has its properties. An invalid text shows its error once `isChecked` is true. */
export function useTimeField(initialHrs = 0, isChecked: boolean) {
  const [initial] = useState(() => timeText(initialHrs));
  const [value, onValue] = useState(initial);
  const hrs = parseHrs(value);
  const isValid = !Number.isNaN(hrs);
  // Any edit counts as a change. Comparing hours would not do: rounding the text changes the hours of an unedited
  // field.
  const isChanged = value !== initial;
  return { hrs, isValid, isChanged, field: { value, onValue, error: isChecked && !isValid ? noTime : undefined } };
}

interface TimeFieldProps {
  label: string;
  value: TimeText;
  onValue(value: TimeText): void;
  error: string | undefined;
}

export function TimeField({ label, value, onValue, error }: TimeFieldProps) {
  return (
    <div class="time-field">
      <Field
        label={label}
        inputMode="decimal"
        autocomplete="off"
        value={value.text}
        onValue={(text) => onValue({ ...value, text })}
        error={error}
      />
      <select
        aria-label={unitLabel(label)}
        value={value.unit}
        onChange={({ currentTarget }) =>
          onValue({ ...value, unit: unitNames[currentTarget.selectedIndex] ?? 'minute' })
        }
      >
        {unitNames.map((unit) => (
          <option key={unit} value={unit}>
            {units[unit]}
          </option>
        ))}
      </select>
    </div>
  );
}
