/** Decides what a phone says after it took work over from another phone. */
import type { CarryProgress, CarryResult } from '../../../client.ts';
import { takeTexts } from '../../text/relay/phone-relay.ts';
import { sizeText, type OutcomeWords } from './meeting-parts.tsx';

export type TakeOutcome =
  | { kind: 'met'; ended: CarryResult['ended']; progress: CarryProgress | undefined }
  /** This phone is in no network, or the code was none that a browser takes. */
  | { kind: 'no_network' | 'odd' };

type EndedKind = keyof typeof takeTexts.ended;

const looks: Record<EndedKind, Pick<OutcomeWords, 'look' | 'icon'>> = {
  safe: { look: 'good', icon: 'cloud' },
  taken: { look: 'good', icon: 'check' },
  nothing: { look: 'good', icon: 'check' },
  lost: { look: 'warn', icon: 'offline' },
  full: { look: 'warn', icon: 'stop' },
  other_server: { look: 'bad', icon: 'cross' },
  too_new: { look: 'warn', icon: 'stop' },
  odd: { look: 'warn', icon: 'stop' },
  no_network: { look: 'warn', icon: 'offline' },
};

const endedKinds: Record<Exclude<CarryResult['ended'], 'done'>, EndedKind> = {
  lost: 'lost',
  full: 'full',
  other_server: 'other_server',
  too_new: 'too_new',
  busy: 'odd',
  malformed: 'odd',
};

export function takeWords(outcome: TakeOutcome): OutcomeWords {
  const kind = kindOf(outcome);
  const progress = outcome.kind === 'met' ? outcome.progress : undefined;
  const lines = progress && progress.bytes > 0 ? [takeTexts.taken(sizeText(progress.bytes))] : [];
  return { ...looks[kind], ...takeTexts.ended[kind], lines };
}

function kindOf(outcome: TakeOutcome): EndedKind {
  if (outcome.kind !== 'met') return outcome.kind;
  const { ended, progress } = outcome;
  if (ended !== 'done') return endedKinds[ended];
  if (!progress) return 'nothing';
  return progress.answered >= progress.messages ? 'safe' : 'taken';
}
