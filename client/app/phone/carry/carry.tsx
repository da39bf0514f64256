/**
 * The screen of a carrier: this phone takes sealed requests to the server for devices without a network. This phone
 * reads the devices' QR codes. The screen shows receipts, which people type on the devices, and what the phone holds.
 */
import './carry.css';
import { useState } from 'preact/hooks';
import type { ReadCode } from '../../../client.ts';
import { useValueOf } from '../../shell/engine.tsx';
import { attachedCarrier } from '../../shell/attached-carrier.ts';
import { useSecsSince } from '../../shell/time.ts';
import { agoText } from '../../text/phone-times.ts';
import { syncTexts } from '../../text/phone-on-demand.ts';
import { carryTexts } from '../../text/relay/phone-relay.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { setCarryingOn, isCarryingOn } from './carrying-setting.ts';
import { ReadCodesView, TakenNotice } from './read-codes-view.tsx';
import { sizeText } from '../../ui/size-text.ts';
import { TakeOverView } from './take-over-view.tsx';

/** `offer` is the text of the QR code on the screen of a phone that hands over. */
type CarryScreenState = 'closed' | 'reading' | 'taken' | { offer: string };

export function CarryScreen() {
  const [isOn, setOn] = useState(isCarryingOn);
  const [view, setView] = useState<CarryScreenState>('closed');
  const codes = useValueOf(() => attachedCarrier.readCodes$, []) ?? [];
  const read = () => setView('reading');
  const close = () => setView('closed');
  if (typeof view === 'object') {
    return (
      <Screen title={carryTexts.title} back="/sync">
        <TakeOverView offer={view.offer} onReadAgain={read} onDone={close} />
      </Screen>
    );
  }
  return (
    <Screen title={carryTexts.title} back="/sync">
      {view === 'reading' && isOn ? (
        <ReadCodesView onTaken={() => setView('taken')} onOffer={(offer) => setView({ offer })} onClose={close} />
      ) : (
        <>
          {view === 'taken' ? <TakenNotice /> : <p>{isOn ? carryTexts.why : carryTexts.off}</p>}
          {isOn && (
            <Button look={view === 'taken' ? 'plain' : 'primary'} wide class="meeting-button" onClick={read}>
              {carryTexts.open}
            </Button>
          )}
        </>
      )}
      {codes.length > 0 && <Receipts codes={codes} />}
      <CarryingSummary />
      <section class="card stack">
        <label class="carry-setting">
          <input
            type="checkbox"
            checked={isOn}
            onChange={({ currentTarget: { checked } }) => {
              if (setCarryingOn(checked)) setOn(checked);
              else showToast({ text: syncTexts.runsKeptNotStored });
            }}
          />
          {carryTexts.settingOn}
        </label>
        <p class="soft">{carryTexts.settingWhy}</p>
      </section>
    </Screen>
  );
}

function Receipts({ codes }: { codes: readonly ReadCode[] }) {
  useSecsSince(codes[0]?.taken_at);
  return (
    <section class="stack">
      <h2>{carryTexts.receipts}</h2>
      <ul class="list" role="list">
        {codes.map(({ name, taken_at, delivered, refused, receipt }) => (
          <li key={name + taken_at} class="carry-receipt">
            <span class="carry-name">
              {carryTexts.watch(name)}
              <small class="soft">{carryTexts.taken_at(agoText(taken_at, Date.now()))}</small>
            </span>
            {receipt ? (
              <p>
                <small>{carryTexts.typeThis}</small>
                <strong class="carry-code">{receipt}</strong>
              </p>
            ) : (
              <p class="carry-waiting">
                <Icon name={refused ? 'cross' : delivered ? 'cloud' : 'offline'} size={20} />
                {refused ? carryTexts.refused : delivered ? carryTexts.sent : carryTexts.waiting}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CarryingSummary() {
  const carrying = useValueOf(() => attachedCarrier.carrying$, []);
  const oldest = carrying?.oldest_at ?? undefined;
  useSecsSince(oldest);
  if (!carrying) return null;
  return (
    <section class="stack">
      <h2>{carryTexts.carried}</h2>
      {oldest === undefined ? (
        <p>{carryTexts.nothing}</p>
      ) : (
        <dl class="card facts">
          <div>
            <dt>{carryTexts.amount}</dt>
            <dd>{carryTexts.messages(carrying.messages, sizeText(carrying.bytes))}</dd>
          </div>
          <div>
            <dt>{carryTexts.oldest}</dt>
            <dd>{agoText(oldest, Date.now())}</dd>
          </div>
        </dl>
      )}
      <p class="soft">{carryTexts.limits}</p>
    </section>
  );
}
