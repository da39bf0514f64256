import type { DeviceKind, DeviceStatus } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { listText } from '../../text/format.ts';
import { agoText } from '../../text/phone-times.ts';
import { FailureCard, WaitingNotice, useServerData } from './server-request.tsx';
import { DeviceDialogs } from './device-dialogs.tsx';
import { DeviceFilterFields } from './device-filter-fields.tsx';
import { filterAndSortDevices, noDeviceFilter } from './device-filter.ts';
import { listDistinctDevices, type DistinctDevice } from './device-names.ts';
import { deviceTexts, keyTexts, reportTexts } from '../../text/phone-on-demand.ts';

/** A list with fewer devices has no search, since a person finds a device in it at a glance. */
const searchableCountMin = 8;

const iconByKind: Record<DeviceKind, IconName> = { phone: 'device', wearable: 'watch', desk: 'desk' };

export function DevicesScreen() {
  const gemba = useGemba();
  const { data: devices, busy, failure, load } = useServerData(() => listDistinctDevices(gemba));
  const [selected, setSelected] = useState<DistinctDevice>();

  return (
    <Screen title={deviceTexts.title} back="/sync">
      <WaitingNotice busy={busy && !devices} />
      <FailureCard text={failure} onAgain={load} />
      {devices && (
        <>
          <div class="actions">
            <Link href="/devices/pair/watch" class="button button-primary">
              <Icon name="watch" />
              {deviceTexts.pair.wearable}
            </Link>
            <Link href="/devices/pair/phone" class="button button-plain">
              <Icon name="device" />
              {deviceTexts.pair.phone}
            </Link>
            <Link href="/devices/pair/computer" class="button button-plain">
              <Icon name="desk" />
              {deviceTexts.pair.desk}
            </Link>
          </div>
          <ActiveDevices devices={devices.filter(({ revoked_at }) => !revoked_at)} onSelect={setSelected} />
          <DeviceList label={deviceTexts.revoked} devices={devices.filter(({ revoked_at }) => revoked_at)} titled />
          <Link href="/devices/keys" class="button button-plain button-wide">
            {keyTexts.title}
          </Link>
        </>
      )}
      <DeviceDialogs device={selected} onClose={() => setSelected(undefined)} onChanged={load} />
    </Screen>
  );
}

interface ActiveDevicesProps {
  devices: DistinctDevice[];
  onSelect(device: DistinctDevice): void;
}

function ActiveDevices({ devices, onSelect }: ActiveDevicesProps) {
  const [filter, setFilter] = useState(noDeviceFilter);
  const shown = filterAndSortDevices(devices, filter);
  return (
    <>
      {devices.length >= searchableCountMin && (
        <DeviceFilterFields devices={devices} shownCount={shown.length} filter={filter} onFilter={setFilter} />
      )}
      <DeviceList label={deviceTexts.title} devices={shown} onSelect={onSelect} />
    </>
  );
}

interface DeviceListProps {
  label: string;
  devices: DistinctDevice[];
  /** Absent in the list of revoked devices, since a person cannot select a revoked device. */
  onSelect?(device: DistinctDevice): void;
  titled?: boolean;
}

function DeviceList({ label, devices, onSelect, titled }: DeviceListProps) {
  if (devices.length === 0) return null;
  return (
    <>
      {titled && <h2>{label}</h2>}
      <List
        label={label}
        items={devices}
        rowHeight={84}
        keyOf={({ id }) => id}
        row={(device) => <DeviceRow device={device} onSelect={onSelect} />}
      />
    </>
  );
}

function DeviceRow({ device, onSelect }: { device: DistinctDevice; onSelect: DeviceListProps['onSelect'] }) {
  const { name, kind, is_this, revoked_at, last_seen_at, health, status } = device;
  const since = revoked_at ?? last_seen_at;
  const when = since && agoText(since, Date.now());
  const needsLook = health && health !== 'ok';
  const work = status && unfinishedWorkTexts(status);
  const stateTexts = [...(needsLook ? [reportTexts.health[health]] : []), ...(work ?? [])];
  const content = (
    <>
      <span class="list-name">{name}</span>
      <span class="soft small">
        {deviceTexts.kinds[kind]}
        {' · '}
        {is_this ? <b>{deviceTexts.thisDevice}</b> : deviceTexts.seen(when, revoked_at !== null)}
      </span>
      {stateTexts.length > 0 && (
        <span class={needsLook ? 'small device-problem' : 'soft small'}>{stateTexts.join(' · ')}</span>
      )}
    </>
  );
  return (
    <div class="list-row device-row">
      <Icon name={iconByKind[kind]} />
      {onSelect ? (
        <button type="button" class="list-text row-button" onClick={() => onSelect(device)}>
          {content}
        </button>
      ) : (
        <div class="list-text row-button">{content}</div>
      )}
      {onSelect && <Icon name="forward" />}
    </div>
  );
}

/** Says how many changes the server lacked or had refused when the device reported. Returns [] if the count is 0. */
function unfinishedWorkTexts({ pending, attention, reported_at }: DeviceStatus): string[] {
  const counts = [
    ...(pending > 0 ? [reportTexts.unsent(pending)] : []),
    ...(attention > 0 ? [reportTexts.refused(attention)] : []),
  ];
  return counts.length === 0 ? [] : [`${listText(counts)}, ${reportTexts.asOf(agoText(reported_at, Date.now()))}`];
}
