/** Shows a pairing code to type or scan on another device. Shows the name of the other device once it is paired. */
import { useEffect, useState } from 'preact/hooks';
import { GembaError, type PairedDevice, type DeviceKind, type PairingCode } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { countdownText } from '../../text/format.ts';
import { useSecsSince } from '../../shell/time.ts';
import { listDistinctDevices } from './device-names.ts';
import { FailureCard, WaitingNotice, useServerRequest } from './server-request.tsx';
import { QrCode } from './qr-code.tsx';
import { deviceTexts, pairOtherDeviceTexts } from '../../text/phone-on-demand.ts';

const pairPathByKind: Record<DeviceKind, string> = { wearable: '/watch/pair', phone: '/pair', desk: '/desk/pair' };
const pairingPollIntervalMs = 3_000;

interface ShownPairing extends PairingCode {
  /** When the code was created, by the clock of this device. The countdown starts then. */
  createdAt: string;
}

interface ShownPairingCodeProps {
  kind: DeviceKind;
  shown: ShownPairing;
  onAgain(): void;
}

export function PairDeviceScreen({ kind }: { kind: DeviceKind }) {
  const gemba = useGemba();
  const { busy, failure, run } = useServerRequest();
  const [shown, setShown] = useState<ShownPairing>();
  const create = () =>
    void run(gemba.pairingCode(kind), (code) => setShown({ ...code, createdAt: new Date().toISOString() }));
  useEffect(create, []);
  return (
    <Screen title={deviceTexts.pair[kind]} back="/devices">
      <WaitingNotice busy={busy} />
      <FailureCard text={failure} onAgain={create} />
      {shown && !failure && <ShownPairingCode key={shown.code} kind={kind} shown={shown} onAgain={create} />}
    </Screen>
  );
}

function ShownPairingCode({ kind, shown, onAgain }: ShownPairingCodeProps) {
  const { code, expires_in_secs, createdAt } = shown;
  const secsLeft = expires_in_secs - useSecsSince(createdAt);
  const { joined, isUnreachable } = useJoinedDevice(kind, shown, secsLeft > 0);
  const path = pairPathByKind[kind];
  const [before, after] = pairOtherDeviceTexts.how[kind];
  if (joined) return <JoinedDeviceNotice name={joined.name} />;
  if (secsLeft <= 0) {
    return (
      <>
        <p role="alert">{pairOtherDeviceTexts.expired}</p>
        <Button look="primary" wide onClick={onAgain}>
          {pairOtherDeviceTexts.newCode}
        </Button>
      </>
    );
  }
  return (
    <>
      <p class="code-how">
        {before}
        <b>{location.host + path}</b>
        {after}
      </p>
      <div class="card code-card">
        <p class="code">
          <span aria-hidden="true">{code}</span>
          <span class="visually-hidden">{[...code].join(' ')}</span>
        </p>
        <p class="soft">{pairOtherDeviceTexts.expiresIn(countdownText(secsLeft))}</p>
        <QrCode text={`${location.origin}${path}#${code}`} />
      </div>
      <p class="soft" role="status">
        {isUnreachable ? pairOtherDeviceTexts.unreachable : pairOtherDeviceTexts.waiting[kind]}
      </p>
    </>
  );
}

function JoinedDeviceNotice({ name }: { name: string }) {
  return (
    <div class="card stack" role="status">
      <p class="joined">
        <Icon name="check" />
        {pairOtherDeviceTexts.joined(name)}
      </p>
      <Link href="/devices" class="button button-primary">
        {deviceTexts.title}
      </Link>
    </div>
  );
}

/** Asks the server repeatedly until a device has paired by the code. `isUnreachable`: the last request failed. */
function useJoinedDevice(kind: DeviceKind, { expires_at, expires_in_secs }: PairingCode, isValid: boolean) {
  const gemba = useGemba();
  const [joined, setJoined] = useState<PairedDevice>();
  const [isUnreachable, setUnreachable] = useState(false);
  const isPolling = isValid && !joined;
  useEffect(() => {
    if (!isPolling) return undefined;
    const since = Date.parse(expires_at) - expires_in_secs * 1000;
    const isNew = (device: PairedDevice) =>
      device.kind === kind && !device.revoked_at && Date.parse(device.paired_at) >= since;
    let timer = 0;
    const poll = async () => {
      try {
        if (!document.hidden) setJoined((await listDistinctDevices(gemba)).find(isNew));
        setUnreachable(false);
      } catch (error) {
        if (!(error instanceof GembaError)) throw error;
        setUnreachable(true);
      }
      if (timer >= 0) timer = window.setTimeout(poll, pairingPollIntervalMs);
    };
    timer = window.setTimeout(poll, pairingPollIntervalMs);
    return () => {
      clearTimeout(timer);
      timer = -1;
    };
  }, [isPolling]);
  return { joined, isUnreachable };
}
