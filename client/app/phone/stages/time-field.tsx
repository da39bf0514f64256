/** A length of time as a number and its unit. */
import { Field } from '../../ui/field.tsx';
import { phoneTexts } from '../../text/phone.ts';

export type Unit = keyof typeof phoneTexts.stage.units;

interface TimeText {
  text: string;
  unit: Unit;
}

const hrsOf: Record<Unit, number> = { second: 1 / 3_600, minute: 1 / 60, hour: 1, day: 24 };
const hrsMax = 1_000_000;

/** In the unit that fits it; nothing yet counts in minutes. */
export function timeText(hrs: number): TimeText {
  const fits = (['day', 'hour', 'minute', 'second'] as const).find((unit) => hrs >= hrsOf[unit]);
  const unit = hrs === 0 ? 'minute' : (fits ?? 'second');
  return { text: String(Number((hrs / hrsOf[unit]).toPrecision(6))), unit };
}

/** Hours; undefined when it is no time. */
export function hrsOfText({ text, unit }: TimeText): number | undefined {
  const hrs = Number(text.trim().replace(',', '.')) * hrsOf[unit];
  return hrs >= 0 && hrs <= hrsMax ? hrs : undefined;
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
        aria-label={phoneTexts.stage.unit(label)}
        value={value.unit}
        onChange={({ currentTarget }) => onValue({ ...value, unit: currentTarget.value as Unit })}
      >
        {(Object.keys(phoneTexts.stage.units) as Unit[]).map((unit) => (
          <option key={unit} value={unit}>
            {phoneTexts.stage.units[unit]}
          </option>
        ))}
      </select>
    </div>
  );
}
