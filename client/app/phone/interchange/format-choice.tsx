import { useId } from 'preact/hooks';
import type { ExportFormat } from '../../../client.ts';
import { keysOf } from '../../ui/keys-of.ts';
import { exportTexts } from '../../text/interchange/phone-interchange.ts';

interface FormatChoiceProps {
  value: ExportFormat;
  onValue(format: ExportFormat): void;
}

export function FormatChoice({ value, onValue }: FormatChoiceProps) {
  const name = useId();
  return (
    <fieldset class="export-formats">
      <legend>{exportTexts.format}</legend>
      {keysOf<ExportFormat>(exportTexts.formats).map((format) => (
        <label key={format}>
          <input type="radio" name={name} checked={format === value} onChange={() => onValue(format)} />
          <span>
            <span class="list-name">{exportTexts.formats[format].name}</span>
            <span class="soft small">{exportTexts.formats[format].hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
