/**
 * Converts the answers to a push to and from their stored text. Consecutive equal answers share one entry. The errors of
 * rejections are stored in rows of their own (client-row.ts). After an acknowledgement, the store keeps a client's last
 * `acknowledgedAnswersMax` answers, but no errors of acknowledged rejections.
 */
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import { parseRejections } from './client-row.ts';

/**
 * An answer as it is stored, with the digest of its mutation. Answers that an earlier version of the server stored have no
 * digest.
 */
export type RememberedAnswer = MutationAnswer & { digest?: string };

/**
 * Equal answers to `count` mutations (default 1) from the number `seq` on. Earlier versions of the server stored the error
 * here, too.
 */
type StoredAnswer = Omit<RememberedAnswer, 'status'> & Pick<MutationAnswer, 'status'> & { count?: number };

export function answersText(answers: RememberedAnswer[]): string {
  const stored: StoredAnswer[] = [];
  let lastText = '';
  for (const answer of answers) {
    const { seq, ...rest } = answer;
    const content = rest.status === 'rejected' ? { ...rest, error: undefined } : rest;
    const text = JSON.stringify(content);
    const last = stored.at(-1);
    if (last && text === lastText && seq === last.seq + (last.count ?? 1)) last.count = (last.count ?? 1) + 1;
    else stored.push({ seq, ...content });
    lastText = text;
  }
  return JSON.stringify(stored);
}

/** The stored rows that have a client's answers to the numbers from `from` to `to`. */
export interface StoredAnswers {
  /** Texts that `answersText` made, in ascending order of their numbers. */
  texts: string[];
  /** undefined if the client does not exist. */
  client: { acked_seq: number; last_seq: number; rejected: string } | undefined;
  from: number;
  to: number;
}

/**
 * Returns the answers in ascending order of their numbers. Acknowledged answers may be missing. The sweep deletes old answers
 * but never a rejection, so a mutation that has neither an answer nor a rejection was applied.
 */
export function parseAnswers({ texts, client, from, to }: StoredAnswers): RememberedAnswer[] {
  if (!client) return [];
  const stored = texts.flatMap((text): StoredAnswer[] => JSON.parse(text)).flatMap(expandRange);
  const answers = new Map(stored.filter(({ seq }) => from <= seq && seq <= to).map((answer) => [answer.seq, answer]));
  const errors = new Map(parseRejections(client.rejected, client.acked_seq).map(({ seq, error }) => [seq, error]));
  for (let seq = Math.max(from, client.acked_seq + 1); seq <= Math.min(to, client.last_seq); seq++) {
    const error = errors.get(seq);
    const known = answers.get(seq);
    if (error) answers.set(seq, { ...known, seq, status: 'rejected', error });
    else if (!known) answers.set(seq, { seq, status: 'applied' });
  }
  const isWhole = (answer: RememberedAnswer) => answer.status === 'applied' || answer.error !== undefined;
  return [...answers.values()].filter(isWhole).toSorted((a, b) => a.seq - b.seq);
}

function expandRange({ count = 1, ...answer }: StoredAnswer): RememberedAnswer[] {
  return Array.from({ length: count }, (_, index) => ({ ...answer, seq: answer.seq + index }) as RememberedAnswer);
}
