/** Decides what the phone that hands over shows when the hand-over has ended. */
import { GembaError, type HandOverProgress, type HandOverResult, type Problem } from '../../../client.ts';
import { giveHandOverTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { texts } from '../../text/texts.ts';
import { cameraFailureText } from './camera-view.tsx';
import type { CameraFailure } from './code-camera.ts';
import { commonOutcomeByEnd, commonOutcomeLooks } from './common-outcomes.ts';
import type { OutcomeContent } from './meeting-parts.tsx';

/** `met`: the two phones were connected, and `ended` says why the connection ended. */
export type HandOverOutcome =
  | { kind: 'met'; ended: HandOverResult['ended']; progress: HandOverProgress | undefined; problem: Problem | null }
  | { kind: 'camera'; failure: CameraFailure }
  /** `no_network`: this phone is in no network. `not_reached`: the two phones could not connect. */
  | { kind: 'no_network' | 'not_reached' }
  | { kind: 'failed'; error: unknown };

type OutcomeKind = keyof typeof giveHandOverTexts.ended;

const lookByOutcome: Record<OutcomeKind, Pick<OutcomeContent, 'look' | 'icon'>> = {
  ...commonOutcomeLooks,
  safe: { look: 'good', icon: 'cloud' },
  attention: { look: 'warn', icon: 'stop' },
  handed: { look: 'good', icon: 'device' },
  refused: { look: 'bad', icon: 'stop' },
  unopened: { look: 'bad', icon: 'stop' },
  not_reached: { look: 'warn', icon: 'offline' },
  camera: { look: 'warn', icon: 'stop' },
  failed: { look: 'bad', icon: 'stop' },
};

const outcomeByEnd: Record<HandOverResult['ended'], OutcomeKind> = { ...commonOutcomeByEnd, done: 'handed' };

export function handOverOutcomeContent(outcome: HandOverOutcome): OutcomeContent {
  const kind = outcomeKindOf(outcome);
  return { ...lookByOutcome[kind], ...giveHandOverTexts.ended[kind], lines: outcomeLinesOf(outcome) };
}

/** Returns true if another try can hand over more. */
export const canTryAgain = (outcome: HandOverOutcome): boolean =>
  !['safe', 'attention', 'handed'].includes(outcomeKindOf(outcome));

function outcomeKindOf(outcome: HandOverOutcome): OutcomeKind {
  if (outcome.kind !== 'met') return outcome.kind;
  const { ended, progress, problem } = outcome;
  // `isSettled`: a pull has shown the outcome of all the work, so it no longer matters how the channel ended.
  if (progress?.isSettled) return progress.refused > 0 ? 'attention' : 'safe';
  if (problem) return 'refused';
  return ended === 'done' && !isAllGiven(progress) ? 'unopened' : outcomeByEnd[ended];
}

function outcomeLinesOf(outcome: HandOverOutcome): string[] {
  switch (outcome.kind) {
    case 'met':
      return [
        ...(outcome.progress ? progressTexts(outcome.progress) : []),
        ...(outcome.problem ? [texts.errorText({ code: outcome.problem.code, message: outcome.problem.detail })] : []),
      ];
    case 'camera':
      return [cameraFailureText(outcome.failure)];
    case 'failed':
      return [handOverFailureText(outcome.error)];
    case 'no_network':
    case 'not_reached':
      return [];
  }
}

/** Says how many recordings were handed over and how many are safe. Without recordings, counts the given bytes. */
export function progressTexts({
  recordings,
  givenRecordings,
  givenBytes,
  bytes,
  safeRecordings,
}: HandOverProgress): string[] {
  if (recordings === 0) return bytes > 0 ? [giveHandOverTexts.givenBytes(sizeText(givenBytes), sizeText(bytes))] : [];
  return [
    giveHandOverTexts.given(givenRecordings, recordings),
    ...(safeRecordings > 0 ? [giveHandOverTexts.safe(safeRecordings)] : []),
  ];
}

export const isAllGiven = (progress: HandOverProgress | undefined): boolean =>
  progress !== undefined && progress.givenBytes >= progress.bytes;

export function handOverFailureText(error: unknown): string {
  if (error instanceof GembaError && error.code === 'unreachable') return giveHandOverTexts.needsNetwork;
  return error instanceof Error ? texts.errorText(error) : '';
}
