/** A field for a length of time: minutes and seconds such as 1:30, or a number and its unit. */
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { parseClockTime } from '../parse-clock-time.ts';
import { durationText } from '../../text/format.ts';
import { stageTexts } from '../../text/phone-on-demand.ts';
import { secsPerHour } from '../maps/value-stream.tsx';

const { noTime, unit: unitLabel, units } = stageTexts;

type TimeUnit = keyof typeof units;

interface TimeText {
  text: string;
  unit: TimeUnit;
}

const hrsPerUnit: Record<Exclude<TimeUnit, 'clock'>, number> = { second: 1 / 3_600, minute: 1 / 60, hour: 1, day: 24 };
const hrsMax = 1_000_000;
const unitNames = keysOf(units);

/** Converts hours to text: 0 in minutes, a time below a day as m:ss, a longer one in days. */
function timeText(hrs: number): TimeText {
  if (hrs === 0) return { text: '0', unit: 'minute' };
  if (hrs < hrsPerUnit.day) return { text: durationText(hrs * secsPerHour), unit: 'clock' };
  return { text: String(Number((hrs / hrsPerUnit.day).toPrecision(6))), unit: 'day' };
}

/** Converts a text to hours; NaN if the text is no time or too large. */
function parseHrs({ text, unit }: TimeText): number {
  const hrs =
    unit === 'clock' ? parseClockTime(text) / secsPerHour : Number(text.trim().replace(',', '.')) * hrsPerUnit[unit];
  return hrs >= 0 && hrs <= hrsMax ? hrs : Number.NaN;
}

/** Chooses the unit of an edited text: a colon says minutes and seconds, a text without one is a number of minutes. */
function unitOf(text: string, unit: TimeUnit): TimeUnit {
  if (text.includes(':')) return 'clock';
  return unit === 'clock' ? 'minute' : unit;
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
        autocomplete="off"
        value={value.text}
        onValue={(text) => onValue({ text, unit: unitOf(text, value.unit) })}
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
