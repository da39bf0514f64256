/** A field for a duration: a person types 1:30, or a number and chooses its unit. */
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { namedUnitSecs, parseTime, understoodTimeText } from '../parse-time.ts';
import {
  centiminuteNumber,
  clockText,
  durationText,
  secsPerCentiminute,
  secsPerHour,
  timeNotation,
} from '../../text/format.ts';
import { stageTexts } from '../../text/phone-on-demand.ts';

type TimeUnit = keyof typeof stageTexts.units;

interface TimeInput {
  text: string;
  unit: TimeUnit;
}

const hrsPerUnit: Record<Exclude<TimeUnit, 'clock'>, number> = {
  centiminute: secsPerCentiminute / secsPerHour,
  second: 1 / secsPerHour,
  minute: 1 / 60,
  hour: 1,
  day: 24,
};
const hrsMax = 1_000_000;
const unitNames = ['clock', ...keysOf(hrsPerUnit)] as const;

/**
 * Returns the text and the unit that show a time. A time below a day is in this device's notation. A longer time is in
 * days.
 */
function timeInputOfHrs(hrs: number): TimeInput {
  const isClock = timeNotation() === 'clock';
  if (hrs === 0) return { text: '0', unit: isClock ? 'minute' : 'centiminute' };
  if (hrs < hrsPerUnit.day) {
    const secs = hrs * secsPerHour;
    return isClock
      ? { text: durationText(secs), unit: 'clock' }
      : { text: centiminuteNumber(secs), unit: 'centiminute' };
  }
  return { text: String(Number((hrs / hrsPerUnit.day).toPrecision(6))), unit: 'day' };
}

/** Returns the hours; NaN if the text is not a time, or if the time is too long. */
function parseHrs({ text, unit }: TimeInput): number {
  const secsPerUnit = unit === 'clock' ? Number.NaN : hrsPerUnit[unit] * secsPerHour;
  const hrs = text.trim() === '' && unit !== 'clock' ? 0 : parseTime(text, secsPerUnit) / secsPerHour;
  return hrs >= 0 && hrs <= hrsMax ? hrs : Number.NaN;
}

/**
 * Returns the unit that the edited text names, otherwise the unit before the edit. If the edit removed the colon of a
 * clock time, returns centiminutes if the device shows centiminutes, otherwise minutes.
 */
function unitOfEditedText(text: string, unit: TimeUnit): TimeUnit {
  if (text.includes(':')) return 'clock';
  const namedSecs = namedUnitSecs(text);
  const named = keysOf(hrsPerUnit).find((name) => hrsPerUnit[name] * secsPerHour === namedSecs);
  if (named) return named;
  return unit === 'clock' ? (timeNotation() === 'clock' ? 'minute' : 'centiminute') : unit;
}

/** Holds the time of a `TimeField`, whose props are in `field`. Shows the error of an invalid text if `isChecked`. */
export function useTimeField(initialHrs = 0, isChecked: boolean) {
  const [initial] = useState(() => timeInputOfHrs(initialHrs));
  const [value, onValue] = useState(initial);
  const hrs = parseHrs(value);
  const isValid = !Number.isNaN(hrs);
  // Does not compare hours: the shown text is rounded, so the hours of an unedited field can differ from the stage's.
  const isChanged = value !== initial;
  return {
    hrs,
    isValid,
    isChanged,
    field: {
      value,
      onValue,
      readAs: isChanged ? understoodTimeText(value.text, hrs * secsPerHour) : '',
      error: isChecked && !isValid ? stageTexts.noTime(clockText(90)) : undefined,
    },
  };
}

interface TimeFieldProps {
  label: string;
  value: TimeInput;
  onValue(value: TimeInput): void;
  readAs: string;
  error: string | undefined;
}

export function TimeField({ label, value, onValue, readAs, error }: TimeFieldProps) {
  return (
    <div class="time-field">
      <Field
        label={label}
        autocomplete="off"
        value={value.text}
        onValue={(text) => onValue({ text, unit: unitOfEditedText(text, value.unit) })}
        readAs={readAs}
        error={error}
      />
      <select
        aria-label={stageTexts.unit(label)}
        value={value.unit}
        onChange={({ currentTarget }) =>
          onValue({ ...value, unit: unitNames[currentTarget.selectedIndex] ?? 'minute' })
        }
      >
        {unitNames.map((unit) => (
          <option key={unit} value={unit}>
            {stageTexts.units[unit]}
          </option>
        ))}
      </select>
    </div>
  );
}
