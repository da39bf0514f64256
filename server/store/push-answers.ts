/**
 * The stored form of a push's answers, which are kept until the client acknowledges them. Consecutive equal answers are one,
 * and a rejection's error has a row of its own (client-row.ts).
 */
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import { readRejections } from './client-row.ts';
import type { RememberedAnswer } from './store.ts';

/** `count` answers from `seq` on; absent: one. An earlier version of the server kept the error here. */
type Kept = Omit<RememberedAnswer, 'status'> & Pick<MutationAnswer, 'status'> & { count?: number };

export function answersText(answers: RememberedAnswer[]): string {
  const kept: Kept[] = [];
  let lastText = '';
  for (const answer of answers) {
    const { seq, ...rest } = answer;
    const content = rest.status === 'rejected' ? { ...rest, error: undefined } : rest;
    const text = JSON.stringify(content);
    const last = kept.at(-1);
    if (last && text === lastText && seq === last.seq + (last.count ?? 1)) last.count = (last.count ?? 1) + 1;
    else kept.push({ seq, ...content });
    lastText = text;
  }
  return JSON.stringify(kept);
}

/** The stored rows that tell a client's answers `from`..`to`. */
export interface KeptAnswers {
  /** As `answersText` wrote them, ascending. */
  texts: string[];
  /** undefined where there is no such client. */
  client: { acked_seq: number; last_seq: number; rejected: string } | undefined;
  from: number;
  to: number;
}

/**
 * Answers in ascending order. An acknowledged one may be gone. An unacknowledged one that was removed for its age is told
 * from the rejections, which stay: a number that is not among them was applied.
 */
export function readAnswers({ texts, client, from, to }: KeptAnswers): RememberedAnswer[] {
  if (!client) return [];
  const kept = texts.flatMap((text) => (JSON.parse(text) as Kept[]).flatMap(unfolded));
  const answers = new Map(kept.filter(({ seq }) => from <= seq && seq <= to).map((answer) => [answer.seq, answer]));
  const errors = new Map(readRejections(client.rejected, client.acked_seq).map(({ seq, error }) => [seq, error]));
  for (let seq = Math.max(from, client.acked_seq + 1); seq <= Math.min(to, client.last_seq); seq++) {
    const error = errors.get(seq);
    const known = answers.get(seq);
    if (error) answers.set(seq, { ...known, seq, status: 'rejected', error });
    else if (!known) answers.set(seq, { seq, status: 'applied' });
  }
  const isWhole = (answer: RememberedAnswer) => answer.status === 'applied' || answer.error !== undefined;
  return [...answers.values()].filter(isWhole).toSorted((a, b) => a.seq - b.seq);
}

function unfolded({ count = 1, ...answer }: Kept): RememberedAnswer[] {
  return Array.from({ length: count }, (_, index) => ({ ...answer, seq: answer.seq + index }) as RememberedAnswer);
}
