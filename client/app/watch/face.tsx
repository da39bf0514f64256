/** The frame of each screen of the watch: where the work is stands above all, and stays there when one scrolls. */
import type { ComponentChildren } from 'preact';
import type { Status } from '../../client.ts';
import { Icon } from '../ui/icon.tsx';
import { Pill, toldOf, type Told } from '../ui/status-pill.tsx';
import { useGemba, useValue } from '../shell/engine.tsx';
import { watchTexts } from '../text/watch.ts';

interface WatchFaceProps {
  class: string;
  /** Of the recording under way: they are on this device alone too, although there is nothing to send yet. */
  stepsHere?: number;
  children: ComponentChildren;
}

export function WatchFace({ class: name, stepsHere = 0, children }: WatchFaceProps) {
  const status = useValue(useGemba().status$);
  const told: Told = status
    ? toldOf(withSteps(status, stepsHere), watchTexts.status)
    : { look: 'plain', icon: 'sync', text: watchTexts.status.opening };
  return (
    <main class={`watch ${name}`} id="content">
      <div class="watch-top">
        <Pill told={told}>
          <Icon name={told.icon} size={12} />
          <span>{told.text}</span>
        </Pill>
      </div>
      {children}
    </main>
  );
}

const withSteps = (status: Status, steps: number): Status => ({
  ...status,
  pending: status.pending + steps,
  // What it only asks the server does not send the steps.
  phase: status.phase === 'syncing' && status.pending === 0 ? 'idle' : status.phase,
});
