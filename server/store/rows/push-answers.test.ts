import { expect, test } from 'vitest';
import { toRejectionRanges } from './client-row.ts';
import { stringifyAnswers, parseAnswers } from './push-answers.ts';
import type { AnswerWithDigest } from './push-answers.ts';

const error = (detail: string) =>
  ({ type: '/docs#validation_failed', title: 't', status: 422, detail, code: 'validation_failed' }) as const;
const rejected = (seq: number, detail = 'd', digest = 'same'): AnswerWithDigest => ({
  seq,
  status: 'rejected',
  digest,
  error: error(detail),
});
const applied = (seq: number): AnswerWithDigest => ({ seq, status: 'applied', digest: 'same', result: { id: 'i' } });

/** Turns the answers to all mutations into their stored form and parses them again. */
function storedAndParsed(pushes: AnswerWithDigest[][], { acked_seq = 0, texts = pushes.map(stringifyAnswers) } = {}) {
  const answers = pushes.flat();
  const errors = answers.flatMap((one) => (one.status === 'rejected' ? [{ seq: one.seq, error: one.error }] : []));
  const ranges = toRejectionRanges(errors).filter((range) => range.last_seq > acked_seq);
  const row = ({ seq, last_seq, error: text }: (typeof ranges)[number]) =>
    `{"seq":${seq},"last_seq":${last_seq},"error":${text}}`;
  const client = { acked_seq, last_seq: answers.length, rejected: `[${ranges.map(row)}]` };
  return parseAnswers({ texts, client, from: 1, to: answers.length });
}

test('[MUTATE-22] a push of nothing but broken mutations is kept in one row of rejections and one short text', () => {
  const answers = Array.from({ length: 10_000 }, (_, index) => rejected(index + 1));
  const errors = answers.map(({ seq }) => ({ seq, error: error('d') }));
  expect(toRejectionRanges(errors)).toMatchObject([{ seq: 1, last_seq: 10_000 }]);
  expect(stringifyAnswers(answers).length).toBeLessThan(100);
  expect(storedAndParsed([answers])).toEqual(answers);
});

test('[MUTATE-22] answers come back as they were, whatever stands beside them and however much is acknowledged', () => {
  const pushes = [
    [rejected(1), rejected(2), applied(3), applied(4), rejected(5, 'other'), rejected(6)],
    [rejected(7), rejected(8, 'd', 'another'), applied(9)],
  ];
  const answers = pushes.flat();
  expect(storedAndParsed(pushes)).toEqual(answers);
  const unacknowledged = storedAndParsed(pushes, { acked_seq: 6, texts: [stringifyAnswers(pushes[1]!)] });
  expect(unacknowledged).toEqual(answers.slice(6));
  const forgotten = storedAndParsed(pushes, { texts: [] });
  expect(forgotten.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
  const ofEarlierServer = pushes.map((push) => JSON.stringify(push));
  expect(storedAndParsed(pushes, { texts: ofEarlierServer })).toEqual(answers);
});
