/** A code for another device, to be typed or scanned there; the device is noticed when it joins. */
import { useEffect, useState } from 'preact/hooks';
import type { DeviceKind, PairingCode } from '../../../../shared/schema/auth.ts';
import { GembaError, type PairedDevice } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { clock } from '../../text/format.ts';
import { useSecsSince } from '../../shell/time.ts';
import { Asking, Trouble, useAsked } from './asked.tsx';
import { QrCode } from './qr-code.tsx';
import { deviceTexts, pairingTexts } from '../../text/phone-devices.ts';

const places: Record<DeviceKind, string> = { wearable: '/watch/pair', phone: '/pair' };
const lookMs = 3_000;

interface Made extends PairingCode {
  /** By this device's clock, which counts what is left of it. */
  madeAt: string;
}

interface CodeProps {
  kind: DeviceKind;
  made: Made;
  onAgain(): void;
}

export function PairDevice({ kind }: { kind: DeviceKind }) {
  const gemba = useGemba();
  const { busy, trouble, ask } = useAsked();
  const [made, setMade] = useState<Made>();
  const make = () =>
    void ask(gemba.pairingCode(kind), (code) => setMade({ ...code, madeAt: new Date().toISOString() }));
  useEffect(make, []);
  return (
    <Screen title={deviceTexts.pair[kind]} back="/devices">
      <Asking busy={busy} />
      <Trouble text={trouble} onAgain={make} />
      {made && !trouble && <Code key={made.code} kind={kind} made={made} onAgain={make} />}
    </Screen>
  );
}

function Code({ kind, made, onAgain }: CodeProps) {
  const { code, expires_in_secs, madeAt } = made;
  const secsLeft = expires_in_secs - useSecsSince(madeAt);
  const { joined, away } = useJoined(kind, made, secsLeft > 0);
  const place = places[kind];
  const [before, behind] = pairingTexts.how[kind];
  if (joined) return <Joined name={joined.name} />;
  if (secsLeft <= 0) {
    return (
      <>
        <p role="alert">{pairingTexts.expired}</p>
        <Button look="primary" wide onClick={onAgain}>
          {pairingTexts.another}
        </Button>
      </>
    );
  }
  return (
    <>
      <p class="code-how">
        {before}
        <b>{location.host + place}</b>
        {behind}
      </p>
      <div class="card code-card">
        <p class="code">
          <span aria-hidden="true">{code}</span>
          <span class="heard">{[...code].join(' ')}</span>
        </p>
        <p class="soft">{pairingTexts.left(clock(secsLeft))}</p>
        <QrCode text={`${location.origin}${place}#${code}`} />
      </div>
      <p class="soft" role="status">
        {away ? pairingTexts.away : pairingTexts.waiting[kind]}
      </p>
    </>
  );
}

function Joined({ name }: { name: string }) {
  return (
    <div class="card stack" role="status">
      <p class="joined">
        <Icon name="check" />
        {pairingTexts.joined(name)}
      </p>
      <Link href="/devices" class="button button-primary">
        {deviceTexts.title}
      </Link>
    </div>
  );
}

/** The device that came since the code was made, both by the server's clock; and whether one cannot know. */
function useJoined(kind: DeviceKind, { expires_at, expires_in_secs }: PairingCode, live: boolean) {
  const gemba = useGemba();
  const [joined, setJoined] = useState<PairedDevice>();
  const [away, setAway] = useState(false);
  const looking = live && !joined;
  useEffect(() => {
    if (!looking) return undefined;
    const since = Date.parse(expires_at) - expires_in_secs * 1000;
    const isNew = (device: PairedDevice) =>
      device.kind === kind && !device.revoked_at && Date.parse(device.paired_at) >= since;
    let timer = 0;
    const look = async () => {
      try {
        // Nobody sees it then.
        if (!document.hidden) setJoined((await gemba.devices()).find(isNew));
        setAway(false);
      } catch (error) {
        if (!(error instanceof GembaError)) throw error;
        setAway(true);
      }
      if (timer >= 0) timer = window.setTimeout(look, lookMs);
    };
    timer = window.setTimeout(look, lookMs);
    return () => {
      clearTimeout(timer);
      timer = -1;
    };
  }, [looking]);
  return { joined, away };
}
