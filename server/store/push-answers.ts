/**
 * The answers to a push as they are kept until the client acknowledges them. A rejection's error stands in its own row
 * (client-row.ts), and answers that follow on each other and say the same are one.
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

/** What the store has of the answers `from`..`to` of a client. */
export interface KeptAnswers {
  /** As `answersText` wrote them, ascending. */
  texts: string[];
  /** undefined where there is no such client. */
  client: { acked_seq: number; last_seq: number; rejected: string } | undefined;
  from: number;
  to: number;
}

/**
 * Ascending, without what was acknowledged and is gone. An unacknowledged answer that was removed for its age is told from
 * the rejections, which stay: what is not among them was applied.
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
