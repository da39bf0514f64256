import { useState } from 'preact/hooks';
import type { PairedDevice } from '../../../client.ts';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { ago } from '../../text/format.ts';
import { Asking, Trouble, useAnswer } from './asked.tsx';
import { DeviceDialogs } from './device-dialogs.tsx';
import { deviceTexts, keyTexts } from '../../text/phone-devices.ts';

export function Devices() {
  const gemba = useGemba();
  const { answer: devices, busy, trouble, load } = useAnswer(() => gemba.devices());
  const [chosen, choose] = useState<PairedDevice>();

  return (
    <Screen title={deviceTexts.title} back="/sync">
      <Asking busy={busy && !devices} />
      <Trouble text={trouble} onAgain={load} />
      {devices && (
        <>
          <div class="ways">
            <Link href="/devices/pair/watch" class="button button-primary">
              <Icon name="watch" />
              {deviceTexts.pair.wearable}
            </Link>
            <Link href="/devices/pair/phone" class="button button-plain">
              <Icon name="device" />
              {deviceTexts.pair.phone}
            </Link>
          </div>
          <DeviceList label={deviceTexts.title} devices={devices.filter(({ revoked_at }) => !revoked_at)} choose={choose} />
          <DeviceList label={deviceTexts.revoked} devices={devices.filter(({ revoked_at }) => revoked_at)} titled />
          <Link href="/devices/keys" class="button button-plain button-wide">
            {keyTexts.title}
          </Link>
        </>
      )}
      <DeviceDialogs device={chosen} onClose={() => choose(undefined)} onChanged={load} />
    </Screen>
  );
}

interface DeviceListProps {
  label: string;
  devices: PairedDevice[];
  choose?(device: PairedDevice): void;
  titled?: boolean;
}

function DeviceList({ label, devices, choose, titled }: DeviceListProps) {
  if (devices.length === 0) return null;
  return (
    <>
      {titled && <h2>{label}</h2>}
      <List
        label={label}
        items={devices}
        rowHeight={84}
        keyOf={({ id }) => id}
        row={(device) => <DeviceRow device={device} choose={choose} />}
      />
    </>
  );
}

function DeviceRow({ device, choose }: { device: PairedDevice; choose: DeviceListProps['choose'] }) {
  const { name, kind, is_this, revoked_at, last_seen_at } = device;
  const since = revoked_at ?? last_seen_at;
  const when = since && ago(since, Date.now());
  const inside = (
    <>
      <span class="list-name">{name}</span>
      <span class="soft small">
        {deviceTexts.kinds[kind]}
        {!is_this && ` · ${deviceTexts.seen(when, revoked_at !== null)}`}
      </span>
    </>
  );
  return (
    <div class="list-row device-row">
      <Icon name={kind === 'phone' ? 'device' : 'watch'} />
      {choose ? (
        <button type="button" class="list-text stage-open" onClick={() => choose(device)}>
          {inside}
        </button>
      ) : (
        <div class="list-text stage-open">{inside}</div>
      )}
      {is_this && <span class="pill pill-plain">{deviceTexts.thisOne}</span>}
      {choose && <Icon name="forward" />}
    </div>
  );
}
