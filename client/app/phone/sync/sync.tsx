import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { firstValueFrom } from 'rxjs';
import type { Gemba } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FaceContext, useGemba, useValue } from '../../shell/engine.tsx';
import { showInstallPrompt, installOffer$ } from '../../shell/install.ts';
import { Link } from '../../shell/router.tsx';
import { numberText } from '../../text/format.ts';
import { agoText } from '../../text/phone-times.ts';
import { texts } from '../../text/texts.ts';
import { useSecsSince } from '../../shell/time.ts';
import { PhotosCard, UnsentPhotoCount } from '../photos/photos-card.tsx';
import { DevtoolsSetting } from './device-panel-screen.tsx';
import { ReportedFacts } from './reported-facts.tsx';
import { RowLink } from './row-link.tsx';
import { RunsKeptSetting } from './runs-kept-setting.tsx';
import { TimeNotationSetting } from './time-notation-setting.tsx';
import { UntrustedNotice } from './untrusted-notice.tsx';
import { attentionTexts, photoTexts, syncTexts } from '../../text/phone-on-demand.ts';
import { accountTexts } from '../../text/phone-account.ts';
import { deviceTexts } from '../../text/phone-on-demand.ts';

export function SyncScreen() {
  const gemba = useGemba();
  const status = useValue(gemba.status$);
  const since = status && (status.oldest_pending_at ?? status.last_synced_at ?? undefined);
  // Renders each second, since the texts say how long ago the last sync was.
  useSecsSince(since);
  if (!status) return <Screen title={syncTexts.title}>{null}</Screen>;
  const { phase, pending, oldest_pending_at, last_synced_at, attention, photos, error, progress, second_copy } = status;
  return (
    <Screen title={syncTexts.title}>
      <p class="sync-phase">{syncTexts.phases[phase]}</p>
      <dl class="card facts">
        {error && (
          <StatusFact label={syncTexts.error}>
            {error.code === 'unauthorized' && last_synced_at === null
              ? syncTexts.pairingLost
              : texts.errorText({ code: error.code, message: error.detail })}
          </StatusFact>
        )}
        {phase === 'syncing' && progress && (
          <StatusFact label={syncTexts.inProgress}>
            {syncTexts.progress(progress.done, progress.total)}
            <progress aria-label={syncTexts.inProgress} value={progress.done} max={progress.total ?? undefined} />
          </StatusFact>
        )}
        <StatusFact label={syncTexts.pending}>{numberText(pending)}</StatusFact>
        {photos !== undefined && (
          <StatusFact label={photoTexts.onlyHere}>
            <UnsentPhotoCount photos={photos} />
          </StatusFact>
        )}
        {oldest_pending_at && (
          <StatusFact label={syncTexts.oldest}>{agoText(oldest_pending_at, Date.now())}</StatusFact>
        )}
        {attention > 0 && <StatusFact label={syncTexts.attention}>{numberText(attention)}</StatusFact>}
        <StatusFact label={syncTexts.last}>
          {last_synced_at ? agoText(last_synced_at, Date.now()) : syncTexts.never}
        </StatusFact>
        <StatusFact label={syncTexts.backup}>{syncTexts.backups[second_copy]}</StatusFact>
      </dl>
      {error?.code === 'unauthorized' && (
        <Link href="/pair" class="button button-primary">
          {deviceTexts.pairAgain}
        </Link>
      )}
      <Button
        look={pending > 0 || phase !== 'idle' ? 'primary' : 'plain'}
        icon="sync"
        wide
        disabled={phase === 'syncing'}
        onClick={() => void syncNow(gemba)}
      >
        {syncTexts.now}
      </Button>
      <div class="list sync-links">
        <RowLink href="/attention">{attention > 0 ? syncTexts.seeAttention : attentionTexts.title}</RowLink>
        <RowLink href="/devices">{deviceTexts.title}</RowLink>
        <RelayLinks />
        <RowLink href="/account">{accountTexts.title}</RowLink>
      </div>
      <TimeNotationSetting />
      <RunsKeptSetting />
      <PhotosCard />
      <ReportedFacts />
      <DevtoolsSetting />
      <UntrustedNotice />
      <InstallOffer />
    </Screen>
  );
}

/** Syncs, and shows the outcome as a toast, since the screen may look the same as before. */
async function syncNow(gemba: Gemba): Promise<void> {
  await gemba.sync();
  const { phase } = await firstValueFrom(gemba.status$);
  showToast({ text: syncTexts.answers[phase] });
}

/** The links to handing over and to carrying. A desk has neither. */
function RelayLinks() {
  if (useContext(FaceContext) !== 'phone') return null;
  return (
    <>
      <RowLink href="/carry/hand-over">{syncTexts.handOver}</RowLink>
      <RowLink href="/carry">{syncTexts.carry}</RowLink>
    </>
  );
}

function InstallOffer() {
  const offer = useValue(installOffer$);
  if (offer !== 'prompt' && offer !== 'by-hand') return null;
  return (
    <section class="card stack">
      <h2>{syncTexts.install}</h2>
      <p class="soft">{offer === 'prompt' ? syncTexts.installWhy : syncTexts.installByHand}</p>
      {offer === 'prompt' && (
        <Button icon="device" onClick={showInstallPrompt}>
          {syncTexts.installNow}
        </Button>
      )}
    </section>
  );
}

function StatusFact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
