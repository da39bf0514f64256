/**
 * Shows the outcome of a hand-over. The screen has no sync status, since the status counts unsent runs and would
 * contradict the outcome.
 */
import { useLayoutEffect } from 'preact/hooks';
import type { NotShown, ReceiptEntry } from '../../../client.ts';
import { handOverTexts } from '../../text/relay/watch-relay.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { RoundButton } from '../round-button.tsx';
import { watchTexts } from '../../text/watch.ts';

export type Outcome =
  | ReceiptEntry
  | { kind: 'handed' }
  /** The watch has no codes to show. */
  | { kind: 'nothing'; notShown: NotShown }
  | { kind: 'failed'; text: string };

interface OutcomeScreenProps {
  outcome: Outcome;
  onAgain(): void;
  onDone(): void;
}

interface OutcomeWords {
  look: 'good' | 'warn' | 'bad';
  icon: IconName;
  title: string;
  why: string;
}

export function OutcomeScreen({ outcome, onAgain, onDone }: OutcomeScreenProps) {
  const { look, icon, title, why } = wordsOf(outcome);
  useLayoutEffect(() => scrollTo(0, 0), []);
  return (
    <main class={`watch watch-list hand-over-outcome hand-over-${look}`} id="content">
      <div role="status">
        <Icon name={icon} size={36} />
        <h1>{title}</h1>
        {why && <p class="watch-notice">{why}</p>}
      </div>
      {outcome.kind === 'wrong' && (
        <Button look="primary" wide onClick={onAgain}>
          {handOverTexts.again}
        </Button>
      )}
      <div class="watch-actions">
        <RoundButton
          icon="check"
          look={outcome.kind === 'wrong' ? 'plain' : 'primary'}
          label={watchTexts.done}
          onClick={onDone}
        />
      </div>
    </main>
  );
}

export function wordsOf(outcome: Outcome): OutcomeWords {
  const { arrived, arrivedRuns, attention, handed, handedWhy, wrong, triesLeft } = handOverTexts;
  switch (outcome.kind) {
    case 'arrived':
      return { look: 'good', icon: 'cloud', title: arrived, why: arrivedRuns(outcome.recordings) };
    case 'attention':
      return { look: 'warn', icon: 'stop', title: attention, why: '' };
    case 'handed':
      return { look: 'warn', icon: 'device', title: handed, why: handedWhy };
    case 'wrong':
      return { look: 'bad', icon: 'cross', title: wrong, why: triesLeft(outcome.triesLeft) };
    case 'none_expected':
      return { look: 'bad', icon: 'cross', title: handOverTexts.noTries, why: handOverTexts.noTriesWhy };
    case 'nothing':
      return wordsOfNothing(outcome.notShown);
    case 'failed':
      return { look: 'bad', icon: 'offline', title: handOverTexts.title, why: outcome.text };
  }
}

function wordsOfNothing({ arrived, refused, tooLarge, isAllSafe }: NotShown): OutcomeWords {
  const { nothing: title, allSafe, notShown } = handOverTexts;
  if (isAllSafe) return { look: 'good', icon: 'cloud', title, why: allSafe };
  const reasons = [
    ...(refused > 0 ? [notShown.refused(refused)] : []),
    ...(tooLarge > 0 ? [notShown.tooLarge(tooLarge)] : []),
    ...(arrived > 0 ? [notShown.arrived(arrived)] : []),
  ];
  const look =
    refused > 0 || tooLarge > 0
      ? ({ look: 'warn', icon: 'stop' } as const)
      : ({ look: 'good', icon: 'cloud' } as const);
  return { ...look, title, why: reasons.join(' ') || notShown.other };
}
