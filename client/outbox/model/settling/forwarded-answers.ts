/** Stores the answers to forwarded mutations until a pull brings their effects. Pure. */
import type { ForwardedOutcome } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import { isReplaced, type ForwardedEntry, type SendableEntry } from '../entry.ts';
import { isRecordingUpload } from '../../../../shared/domain/runs-read.ts';
import { rowIdOf } from '../parse-entry.ts';
import { renumberUnderDerivedClients } from '../sequence/derived-clients.ts';

export interface ForwardedAnswer {
  entry: SendableEntry;
  outcome: ForwardedOutcome;
}

/**
 * Adds to each entry its answer and the current cursor. If the server forgot the answer to an upload, the upload gets a
 * new client id and is sent again. This is safe, because uploads are idempotent by recording session.
 */
export function withForwardedAnswers(
  content: OutboxContent,
  answers: ForwardedAnswer[],
  cursor: string,
): OutboxContent {
  const outcomes = new Map(answers.map(({ entry, outcome }) => [rowIdOf(entry), outcome]));
  const forwarded = content.forwarded.map((entry): ForwardedEntry => {
    const outcome = outcomes.get(rowIdOf(entry));
    return outcome === undefined ? entry : { ...entry, answer: { cursor, outcome } };
  });
  return renumberUnderDerivedClients({ ...content, forwarded }, isUploadWithForgottenAnswer);
}

const isUploadWithForgottenAnswer = (entry: ForwardedEntry): boolean =>
  entry.answer?.outcome === 'forgotten' && isRecordingUpload(entry) && !isReplaced(entry);
