/** Shows the account with its plan and limits, and the unsent work of this device. */
import { useContext } from 'preact/hooks';
import { FaceContext, useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { accountTexts } from '../../text/phone-account.ts';
import { numberText } from '../../text/format.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';
import { deviceTexts, keyTexts } from '../../text/phone-on-demand.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import { countProblemDevices } from '../devices/device-filter.ts';
import { FailureCard, WaitingNotice, useServerData } from '../devices/server-request.tsx';
import { UnsentWork } from './unsent-work.tsx';

export function AccountScreen() {
  const gemba = useGemba();
  const face = useContext(FaceContext);
  const { data, busy, failure, load } = useServerData(() => Promise.all([gemba.account(), gemba.devices()]));
  const [account, devices] = data ?? [];
  const isPairedAsPhone = devices?.some(({ is_this, kind }) => is_this && kind === 'phone') ?? false;
  return (
    <Screen title={accountTexts.title} back="/sync">
      <WaitingNotice busy={busy && !account} />
      <FailureCard text={failure} onAgain={load} />
      {account && (
        <dl class="card facts account-facts">
          <AccountFact label={accountTexts.name}>{account.name}</AccountFact>
          <AccountFact label={accountTexts.plan}>{accountTexts.plans[account.plan]}</AccountFact>
          <AccountFact label={accountTexts.phones}>{accountTexts.of(account.phones, account.phones_max)}</AccountFact>
          <AccountFact label={texts.maps.title}>{accountTexts.of(account.maps, account.maps_max)}</AccountFact>
          <AccountFact label={deviceTexts.title}>{numberText(account.devices)}</AccountFact>
        </dl>
      )}
      {face === 'desk' && isPairedAsPhone && (
        <div class="card stack">
          <p>{accountTexts.takesSeat}</p>
          <Link href="/pair" class="button button-plain account-pair">
            {deviceTexts.pairAgain}
          </Link>
        </div>
      )}
      <div class="list sync-links">
        <RowLink href="/devices" text={devices && deviceTexts.problems(countProblemDevices(devices))}>
          {deviceTexts.title}
        </RowLink>
        <RowLink href="/devices/keys">{keyTexts.title}</RowLink>
        <RowLink href="/account/import">{importTexts.title}</RowLink>
        <RowLink href="/sync">{phoneTexts.sync.title}</RowLink>
      </div>
      <UnsentWork />
    </Screen>
  );
}

function AccountFact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface RowLinkProps {
  href: string;
  text?: string | undefined;
  children: string;
}

function RowLink({ href, text, children }: RowLinkProps) {
  return (
    <Link href={href} class="list-row">
      <span class="list-text">
        <span class="list-name">{children}</span>
        {text && <span class="soft small">{text}</span>}
      </span>
      <Icon name="forward" />
    </Link>
  );
}
