import type { DeviceHealth, PairedDevice } from '../../../client.ts';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { deviceTexts, reportTexts } from '../../text/phone-on-demand.ts';
import { countByHealth, type DeviceFilter } from './device-filter.ts';

interface DeviceFilterFieldsProps {
  devices: readonly PairedDevice[];
  /** How many of the devices match the filter. */
  shownCount: number;
  filter: DeviceFilter;
  onFilter(filter: DeviceFilter): void;
}

export function DeviceFilterFields({ devices, shownCount, filter, onFilter }: DeviceFilterFieldsProps) {
  const { filters } = deviceTexts;
  const set = (change: Partial<DeviceFilter>) => onFilter({ ...filter, ...change });
  const healthOption = (health: DeviceHealth) =>
    filters.counted(reportTexts.health[health], countByHealth(devices, health));
  return (
    <div class="device-filter">
      <Field
        label={filters.search}
        value={filter.query}
        onValue={(query) => set({ query })}
        enterkeyhint="search"
        autocomplete="off"
      />
      <SelectField
        label={filters.health}
        options={{
          '': filters.counted(filters.all, devices.length),
          stuck: healthOption('stuck'),
          silent: healthOption('silent'),
          stale: healthOption('stale'),
          outdated: healthOption('outdated'),
          ok: healthOption('ok'),
        }}
        value={filter.health}
        onValue={(health) => set({ health })}
      />
      <SelectField label={filters.sort} options={filters.sorts} value={filter.sort} onValue={(sort) => set({ sort })} />
      <p class="soft small" role="status">
        {filters.shown(shownCount, devices.length)}
      </p>
    </div>
  );
}
