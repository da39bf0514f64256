/** Shows the sync status: all work is on the server, or how much is unsent and why. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Status } from '../../client.ts';
import { useGemba, useValue } from '../shell/engine.tsx';
import { isFinishDelayed$ } from '../shell/delayed-finish.ts';
import { Link } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { Icon, type IconName } from './icon.tsx';

/** A status must last this long before screen readers announce it. */
const announceAfterMs = 1_000;

interface StatusSummary {
  look: 'good' | 'plain' | 'warn' | 'bad';
  icon: IconName;
  text: string;
}

export type StatusTexts = Omit<typeof texts.status, 'label'>;

/** `status` is undefined while the engine opens. */
export function summaryOfStatus(status: Status | undefined, statusTexts: StatusTexts): StatusSummary {
  if (!status) return statusSummary('plain', 'sync', texts.opening);
  const { phase, pending, attention, photos, error } = status;
  if (error?.code.startsWith('storage')) return statusSummary('bad', 'stop', statusTexts.storage);
  if (phase === 'blocked') {
    return statusSummary('bad', 'stop', error?.code === 'unauthorized' ? statusTexts.unpaired : statusTexts.blocked);
  }
  if (attention > 0) return statusSummary('bad', 'stop', statusTexts.attention(attention));
  if (phase === 'offline') {
    return statusSummary('warn', 'offline', pending > 0 ? statusTexts.offlinePending(pending) : statusTexts.offline);
  }
  if (phase === 'waiting') {
    return statusSummary(
      'warn',
      'sync',
      hasServerAskedToWait(error?.code) ? statusTexts.waiting : statusTexts.retrying,
    );
  }
  // Without unsent work, a sync only pulls. The status does not show this sync, since all work is on the server.
  if (pending === 0) {
    return photos
      ? statusSummary('plain', 'device', statusTexts.photos(photos))
      : statusSummary('good', 'cloud', statusTexts.safe);
  }
  return phase === 'syncing'
    ? statusSummary('plain', 'sync', statusTexts.sending(pending))
    : statusSummary('plain', 'device', statusTexts.pending(pending));
}

const hasServerAskedToWait = (code: string | undefined): boolean => code === 'rate_limited' || code === 'unavailable';

const statusSummary = (look: StatusSummary['look'], icon: IconName, text: string): StatusSummary => ({
  look,
  icon,
  text,
});

/** Shows the reason of a problem in the tooltip, and in a hidden text for screen readers. */
export function StatusPill() {
  const status = useValue(useGemba().status$);
  const recording = useValue(useGemba().recording$);
  const isFinishDelayed = useValue(isFinishDelayed$) ?? false;
  const pendingSteps = recording || isFinishDelayed ? (status?.pending_steps ?? 0) : 0;
  const shown = withRecordedSteps(summaryOfStatus(status, texts.status), (recording?.steps.length ?? 0) + pendingSteps);
  const reason = status?.phase === 'idle' || status?.phase === 'syncing' ? undefined : reasonOf(status?.error);
  return (
    <SummaryPill summary={shown} reason={reason}>
      <Link class="pill-link" href={status && status.attention > 0 ? '/attention' : '/sync'}>
        <Icon name={shown.icon} size={20} />
        <span>{shown.text}</span>
        {reason && <span class="visually-hidden">. {reason}</span>}
      </Link>
    </SummaryPill>
  );
}

const reasonOf = (error: Status['error'] | undefined): string | undefined =>
  error ? texts.errorText({ code: error.code, message: error.detail }) : undefined;

/**
 * Shows the number of steps that only this device has: in place of "all safe" or of a count of unsent items, but beside
 * "offline". Other summaries stay as they are.
 */
function withRecordedSteps(summary: StatusSummary, steps: number): StatusSummary {
  if (steps === 0) return summary;
  if (summary.look === 'good' || summary.icon === 'device') {
    return statusSummary('plain', 'device', texts.record.onDevice(steps));
  }
  return summary.icon === 'offline'
    ? { ...summary, text: `${texts.status.offline} · ${texts.record.onDevice(steps)}` }
    : summary;
}

interface SummaryPillProps {
  summary: StatusSummary;
  reason?: string | undefined;
  children: ComponentChildren;
}

/**
 * Announces each new kind of status to screen readers. A changed count of unsent items is not announced, since it
 * changes with each tap.
 */
export function SummaryPill({ summary: { look, icon, text }, reason, children }: SummaryPillProps) {
  const current = reason ? `${text}. ${reason}` : text;
  const [announced, announce] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => announce(current), announceAfterMs);
    return () => clearTimeout(timer);
  }, [look === 'bad' ? current : look + icon]);
  return (
    <>
      <p class={`pill pill-${look}`} role="status" aria-live="off" aria-label={texts.status.label} title={reason}>
        {children}
      </p>
      <span class="visually-hidden" aria-live="polite">
        {announced}
      </span>
    </>
  );
}
