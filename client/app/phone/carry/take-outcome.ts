/** Decides what a phone says after it took work over from another phone. */
import { sizeText } from '../../ui/size-text.ts';
import type { CarryProgress, CarryResult } from '../../../client.ts';
import { takeHandOverTexts } from '../../text/relay/phone-relay.ts';
import { commonEnds, commonLooks } from './meeting-ends.ts';
import type { OutcomeWords } from './meeting-parts.tsx';

export type TakeOutcome =
  | { kind: 'met'; ended: CarryResult['ended']; progress: CarryProgress | undefined }
  /** This phone is in no network, or the code was none that a browser takes. */
  | { kind: 'no_network' | 'odd' };

type EndedKind = keyof typeof takeHandOverTexts.ended;

const looks: Record<EndedKind, Pick<OutcomeWords, 'look' | 'icon'>> = {
  ...commonLooks,
  safe: { look: 'good', icon: 'cloud' },
  taken: { look: 'good', icon: 'check' },
  nothing: { look: 'good', icon: 'check' },
};

const endedKinds: Record<Exclude<CarryResult['ended'], 'done'>, EndedKind> = commonEnds;

export function takeWords(outcome: TakeOutcome): OutcomeWords {
  const kind = kindOf(outcome);
  const progress = outcome.kind === 'met' ? outcome.progress : undefined;
  const lines = progress && progress.bytes > 0 ? [takeHandOverTexts.taken(sizeText(progress.bytes))] : [];
  return { ...looks[kind], ...takeHandOverTexts.ended[kind], lines };
}

function kindOf(outcome: TakeOutcome): EndedKind {
  if (outcome.kind !== 'met') return outcome.kind;
  const { ended, progress } = outcome;
  if (ended !== 'done') return endedKinds[ended];
  if (!progress?.bytes) return 'nothing';
  // A message that is not whole will not be sent.
  if (progress.messages === 0) return 'lost';
  return progress.answered >= progress.messages ? 'safe' : 'taken';
}
