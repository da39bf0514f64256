import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { install, install$ } from '../../shell/install.ts';
import { Link } from '../../shell/router.tsx';
import { ago, number, texts } from '../../text/texts.ts';
import { useSecsSince } from '../../shell/time.ts';
import { words } from '../../text/phone.ts';

const { sync: said } = words;

export function Sync() {
  const gemba = useGemba();
  const status = useValue(gemba.status$);
  const since = status && (status.oldest_pending_at ?? status.last_synced_at ?? undefined);
  // It counts on while one looks.
  useSecsSince(since);
  if (!status) return <Screen title={said.title}>{null}</Screen>;
  const { phase, pending, oldest_pending_at, last_synced_at, attention, error, progress, second_copy } = status;
  return (
    <Screen title={said.title}>
      <p class="sync-phase">{said.phases[phase]}</p>
      <dl class="card facts">
        {error && <Fact label={said.error}>{error.detail}</Fact>}
        {phase === 'syncing' && progress && (
          <Fact label={said.underWay}>
            {said.progress(progress.done, progress.total)}
            <progress aria-label={said.underWay} value={progress.done} max={progress.total ?? undefined} />
          </Fact>
        )}
        <Fact label={said.pending}>{number(pending)}</Fact>
        {oldest_pending_at && <Fact label={said.oldest}>{ago(oldest_pending_at, Date.now())}</Fact>}
        {attention > 0 && <Fact label={said.attention}>{number(attention)}</Fact>}
        <Fact label={said.last}>{last_synced_at ? ago(last_synced_at, Date.now()) : said.never}</Fact>
        <Fact label={said.secondCopy}>{said.secondCopies[second_copy]}</Fact>
      </dl>
      {error?.code === 'unauthorized' && (
        <Link href="/pair" class="button button-primary">
          {texts.pair.again}
        </Link>
      )}
      <Button look="primary" icon="sync" wide disabled={phase === 'syncing'} onClick={() => void gemba.sync()}>
        {said.now}
      </Button>
      <div class="list sync-ways">
        <Way href="/attention">{attention > 0 ? said.look : words.attention.title}</Way>
        <Way href="/devices">{words.devices.title}</Way>
      </div>
      <Install />
    </Screen>
  );
}

/** Offered where one looks after the device, and nowhere in the way. */
function Install() {
  const way = useValue(install$);
  if (way !== 'prompt' && way !== 'by-hand') return null;
  return (
    <section class="card stack">
      <h2>{said.install}</h2>
      <p class="soft">{way === 'prompt' ? said.installWhy : said.installByHand}</p>
      {way === 'prompt' && (
        <Button icon="device" onClick={install}>
          {said.installNow}
        </Button>
      )}
    </section>
  );
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} class="list-row">
      <span class="list-text">{children}</span>
      <Icon name="forward" />
    </Link>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
