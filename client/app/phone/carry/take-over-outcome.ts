/** Decides what a carrier shows after it took work over from another phone. */
import { sizeText } from '../../ui/size-text.ts';
import type { CarryProgress, CarryResult } from '../../../client.ts';
import { takeHandOverTexts } from '../../text/relay/phone-relay.ts';
import { commonOutcomeByEnd, commonOutcomeLooks } from './common-outcomes.ts';
import type { OutcomeContent } from './meeting-parts.tsx';

/** `met`: the two phones were connected, and `ended` says why the connection ended. */
export type TakeOverOutcome =
  | { kind: 'met'; ended: CarryResult['ended']; progress: CarryProgress | undefined }
  /** `no_network`: this phone is in no network. `odd`: the browser could not connect by the code that was read. */
  | { kind: 'no_network' | 'odd' };

type OutcomeKind = keyof typeof takeHandOverTexts.ended;

const lookByOutcome: Record<OutcomeKind, Pick<OutcomeContent, 'look' | 'icon'>> = {
  ...commonOutcomeLooks,
  safe: { look: 'good', icon: 'cloud' },
  taken: { look: 'good', icon: 'check' },
  nothing: { look: 'good', icon: 'check' },
};

const outcomeByEnd: Record<Exclude<CarryResult['ended'], 'done'>, OutcomeKind> = commonOutcomeByEnd;

export function takeOverOutcomeContent(outcome: TakeOverOutcome): OutcomeContent {
  const kind = outcomeKindOf(outcome);
  const progress = outcome.kind === 'met' ? outcome.progress : undefined;
  const lines = progress && progress.bytes > 0 ? [takeHandOverTexts.taken(sizeText(progress.bytes))] : [];
  return { ...lookByOutcome[kind], ...takeHandOverTexts.ended[kind], lines };
}

function outcomeKindOf(outcome: TakeOverOutcome): OutcomeKind {
  if (outcome.kind !== 'met') return outcome.kind;
  const { ended, progress } = outcome;
  if (ended !== 'done') return outcomeByEnd[ended];
  if (!progress?.bytes) return 'nothing';
  // The carrier got only parts of messages. A carrier can send only whole messages to the server.
  if (progress.messages === 0) return 'lost';
  return progress.answered >= progress.messages ? 'safe' : 'taken';
}
