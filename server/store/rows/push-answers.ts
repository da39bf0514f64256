/**
 * Converts the answers to a push to and from stored text. Consecutive equal answers share one entry. The errors of
 * rejections are stored in rows of their own (client-row.ts).
 */
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import { parseRejections } from './client-row.ts';

/** An answer with the digest of its mutation. Answers that an earlier version of the server stored have no digest. */
export type AnswerWithDigest = MutationAnswer & { digest?: string };

/**
 * Equal answers to `count` consecutive mutations (default 1). `seq` is the sequence number of the first of these
 * mutations. Earlier versions of the server also stored the error here.
 */
type StoredAnswerRange = Omit<AnswerWithDigest, 'status'> & Pick<MutationAnswer, 'status'> & { count?: number };

export function stringifyAnswers(answers: AnswerWithDigest[]): string {
  const stored: StoredAnswerRange[] = [];
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

/** Stored rows with the answers to the mutations `from` to `to` of a client. */
export interface StoredAnswerRows {
  /** Texts that `stringifyAnswers` made, in ascending order of sequence numbers. */
  texts: string[];
  /** undefined if the client does not exist. */
  client: { acked_seq: number; last_seq: number; rejected: string } | undefined;
  from: number;
  to: number;
}

/**
 * Returns the answers in ascending order of sequence numbers. Acknowledged answers may be missing. An unacknowledged
 * mutation without a stored answer and without a rejection was applied, since the sweep deletes old answers but no
 * rejections.
 */
export function parseAnswers({ texts, client, from, to }: StoredAnswerRows): AnswerWithDigest[] {
  if (!client) return [];
  const stored = texts.flatMap((text): StoredAnswerRange[] => JSON.parse(text)).flatMap(expandRange);
  const answers = new Map(stored.filter(({ seq }) => from <= seq && seq <= to).map((answer) => [answer.seq, answer]));
  const errors = new Map(parseRejections(client.rejected, client.acked_seq).map(({ seq, error }) => [seq, error]));
  for (let seq = Math.max(from, client.acked_seq + 1); seq <= Math.min(to, client.last_seq); seq++) {
    const error = errors.get(seq);
    const known = answers.get(seq);
    if (error) answers.set(seq, { ...known, seq, status: 'rejected', error });
    else if (!known) answers.set(seq, { seq, status: 'applied' });
  }
  const isWhole = (answer: AnswerWithDigest) => answer.status === 'applied' || answer.error !== undefined;
  return [...answers.values()].filter(isWhole).toSorted((a, b) => a.seq - b.seq);
}

function expandRange({ count = 1, ...answer }: StoredAnswerRange): AnswerWithDigest[] {
  return Array.from({ length: count }, (_, index) => ({ ...answer, seq: answer.seq + index }) as AnswerWithDigest);
}
