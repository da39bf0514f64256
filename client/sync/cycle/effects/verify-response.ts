/**
 * Checks that a push response has all fields from which the device computes effects, since a proxy may have changed it.
 */
import { isObject, type JsonObject } from '../../../core/json-object.ts';
import type { SendableEntry } from '../../../outbox/model/entry.ts';

export const isPushEffects = (effects: unknown): boolean =>
  isObject(effects) &&
  [effects['after'], effects['acked_seq'], effects['clock_behind_ms'] ?? 0].every(Number.isSafeInteger) &&
  [effects['at'], effects['chain'], effects['digest']].every(isText) &&
  !Number.isNaN(Date.parse(String(effects['at'])));

/**
 * Tells whether each entry has an answer. A refused mutation without an answer would look applied, since the digest of
 * the push's effects does not cover rejections.
 */
export function hasAllAnswers(results: readonly unknown[], entries: readonly SendableEntry[]): boolean {
  const seqs = new Set(results.flatMap((answer) => (isAnswer(answer) ? [answer['seq']] : [])));
  return entries.every(({ seq }) => seqs.has(seq));
}

const isAnswer = (answer: unknown): answer is JsonObject =>
  isObject(answer) &&
  (answer['status'] === 'applied' || (answer['status'] === 'rejected' && isProblem(answer['error'])));

const isProblem = (error: unknown): boolean => isObject(error) && isText(error['code']) && isText(error['detail']);

const isText = (value: unknown): value is string => typeof value === 'string';
