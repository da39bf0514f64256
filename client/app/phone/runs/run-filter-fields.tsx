import type { RunRecord } from '../../../client.ts';
import { LabelledField, SelectField } from '../../ui/select-field.tsx';
import { useDeviceNames } from '../devices/device-names.ts';
import { filterTexts } from '../../text/phone-runs.ts';
import { apiDeviceValue, deviceFilterValue, tagsOfRuns, type RunFilter } from './run-filter.ts';

interface RunFilterFieldsProps {
  runs: readonly RunRecord[];
  filter: RunFilter;
  onFilter(filter: RunFilter): void;
}

export function RunFilterFields({ runs, filter, onFilter }: RunFilterFieldsProps) {
  const deviceNames = useDeviceNames();
  const tags = tagsOfRuns(runs);
  const devices = [...new Set(runs.map(deviceFilterValue))];
  const deviceName = (id: string, index: number) =>
    id === apiDeviceValue ? filterTexts.api : (deviceNames.get(id) ?? filterTexts.unnamedDevice(index + 1));
  const set = (change: Partial<RunFilter>) => onFilter({ ...filter, ...change });
  return (
    <details class="card study-details">
      <summary>{filterTexts.title}</summary>
      <div class="run-filter">
        <SelectField
          label={filterTexts.sort}
          options={filterTexts.sorts}
          value={filter.sort}
          onValue={(sort) => set({ sort })}
        />
        <SelectField
          label={filterTexts.excluded}
          options={filterTexts.exclusions}
          value={filter.excluded}
          onValue={(excluded) => set({ excluded })}
        />
        <DayField label={filterTexts.from} value={filter.from} onValue={(from) => set({ from })} />
        <DayField label={filterTexts.to} value={filter.to} onValue={(to) => set({ to })} />
        {tags.length > 0 && (
          <SelectField
            label={filterTexts.tag}
            options={withAnyOption(tags)}
            value={filter.tag}
            onValue={(tag) => set({ tag })}
          />
        )}
        {devices.length > 1 && (
          <SelectField
            label={filterTexts.device}
            options={withAnyOption(devices.map((id, at) => [id, deviceName(id, at)]))}
            value={filter.device}
            onValue={(device) => set({ device })}
          />
        )}
      </div>
    </details>
  );
}

const withAnyOption = (options: [string, string][]): Record<string, string> => ({
  '': filterTexts.any,
  ...Object.fromEntries(options),
});

function DayField({ label, value, onValue }: { label: string; value: string; onValue(value: string): void }) {
  return (
    <LabelledField label={label}>
      {(id) => (
        <input id={id} type="date" value={value} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
      )}
    </LabelledField>
  );
}
