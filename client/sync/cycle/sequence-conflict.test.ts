import { expect, test } from 'vitest';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { conflictInRefusal } from './sequence-conflict.ts';

const fallbackConflict = { client_id: '11111111-1111-4111-8111-111111111111', agreedSeq: 5 };
const refusal = (members: Record<string, unknown>) =>
  problemOf({ code: 'sequence_reused', detail: 'It has other work.', members });

test('[SYNC-24] a server that compares says where copies differ, and whether the later work differs, too', () => {
  const conflictIn = (members: Record<string, unknown>) =>
    conflictInRefusal(refusal(members), { fallbackConflict, keepsChain: true });
  const compared = { ...fallbackConflict, agreedSeq: 2 };
  expect(conflictIn({ last_seq: 4, agreed_seq: 2, other_seqs: [3] })).toEqual({
    ...compared,
    comparison: { otherSeqs: [3], hasDiverged: false },
  });
  expect(conflictIn({ last_seq: 4, agreed_seq: 2, other_seqs: [3, 4] })).toEqual({
    ...compared,
    comparison: { otherSeqs: [3, 4], hasDiverged: true },
  });
  expect(conflictIn({ last_seq: 9 })).toEqual({ ...fallbackConflict, comparison: 'due' });
});

test('[SYNC-24] with a server that cannot compare, the device goes by the highest number that it sent', () => {
  expect(conflictInRefusal(refusal({ last_seq: 9 }), { fallbackConflict, keepsChain: false })).toEqual(
    fallbackConflict,
  );
});

test('[SYNC-24] before its first pull a device knows by an empty list that the server compares', () => {
  const conflict = conflictInRefusal(refusal({ last_seq: 9, other_seqs: [] }), { fallbackConflict, keepsChain: false });
  expect(conflict).toEqual({ ...fallbackConflict, comparison: 'due' });
});
