/** The frame of each watch screen. The sync status stays visible while the screen scrolls. */
import type { ComponentChildren } from 'preact';
import type { Status } from '../../client.ts';
import { Icon } from '../ui/icon.tsx';
import { SummaryPill, summaryOfStatus } from '../ui/status-pill.tsx';
import { useGemba, useValue } from '../shell/engine.tsx';
import { watchTexts } from '../text/watch.ts';

interface WatchFrameProps {
  class: string;
  /** The number of steps in the active recording. The status counts these steps as unsent. */
  stepCount?: number;
  children: ComponentChildren;
}

export function WatchFrame({ class: name, stepCount = 0, children }: WatchFrameProps) {
  const status = useValue(useGemba().status$);
  const summary = summaryOfStatus(status && withRecordedSteps(status, stepCount), watchTexts.status);
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
  // Without unsent mutations, a sync only pulls. It does not send the steps of the active recording.
  phase: status.phase === 'syncing' && status.pending === 0 ? 'idle' : status.phase,
});
