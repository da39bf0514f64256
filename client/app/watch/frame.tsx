/** The frame of each watch screen. The sync status stays visible while the screen scrolls. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Status } from '../../client.ts';
import { Icon } from '../ui/icon.tsx';
import { SummaryPill, summaryOfStatus, type StatusTexts } from '../ui/status-pill.tsx';
import { useGemba, useValue } from '../shell/engine.tsx';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';

interface WatchFrameProps {
  class: string;
  /** The number of steps in the active recording. The status shows it beside the number of unsent runs. */
  stepCount?: number;
  children: ComponentChildren;
}

export function WatchFrame({ class: name, stepCount = 0, children }: WatchFrameProps) {
  const status = useValue(useGemba().status$);
  // A new screen opens at its top: all screens of a watch share one page, whose scroll position would stay.
  useLayoutEffect(() => scrollTo(0, 0), []);
  const summary = summaryOfStatus(status && withRecordedSteps(status, stepCount), statusTextsOf(status, stepCount));
  return (
    <main class={`watch ${name}`} id="content">
      <div class="watch-top">
        <SummaryPill summary={summary}>
          <Icon name={summary.icon} size={12} />
          <span>{summary.text}</span>
        </SummaryPill>
      </div>
      {children}
    </main>
  );
}

const withRecordedSteps = (status: Status, steps: number): Status => ({
  ...status,
  pending: status.pending + steps,
  // Without unsent mutations, a sync only pulls. The status does not show such a sync, since the sync does not send the
  // steps of the active recording.
  phase: status.phase === 'syncing' && status.pending === 0 ? 'idle' : status.phase,
});

/** Counts steps and runs separately, since the steps of a recording become one run at its finish. */
function statusTextsOf(status: Status | undefined, steps: number): StatusTexts {
  const runs = status?.pending ?? 0;
  const { stepCount, runCount, onWatch, offlineOnWatch, sending } = watchTexts;
  const inWords = (alone: (unsent: string) => string) => () =>
    steps > 0 && runs > 0
      ? `${runCount(runs)} + ${stepCount(steps)}`
      : alone(steps > 0 ? stepCount(steps) : runCount(runs));
  return {
    ...texts.status,
    ...watchTexts.status,
    pending: inWords(onWatch),
    offlinePending: inWords(offlineOnWatch),
    sending: () => sending(runs),
  };
}
