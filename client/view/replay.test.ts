import { expect, test } from 'vitest';
import { runLookups } from '../../shared/domain/runs-read.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import { mutationNames, type MutationName } from '../../shared/schema/mutation.ts';
import { mutationPayload, replacedPayload, type ForwardedEntry, type SendableEntry } from '../outbox/model/entry.ts';
import { isInBase, isReplayed, needsAllRecords } from './replay.ts';

const entry = (name: MutationName, more: Partial<SendableEntry> = {}): SendableEntry => ({
  client_id: '11111111-1111-4111-8111-111111111111',
  name,
  args: {},
  recorded_at: '2026-03-01T08:00:00.000Z',
  state: 'pending',
  seq: 1,
  payload: mutationPayload,
  proven_at: null,
  ...(more as object),
});
const resent = { proven_at: '2026-03-01T08:00:00.000Z' };
const forwarded = { state: 'forwarded' } as const;

test.each(mutationNames)(
  '[DEVICE-14] a %s is replayed, but for a recording that a device without runs may count twice',
  (name) => {
    for (const pullsRuns of [true, false]) {
      const mayDouble = !pullsRuns && name === 'upload_recording';
      expect(isReplayed(entry(name), { pullsRuns })).toBe(true);
      expect(isReplayed(entry(name, resent), { pullsRuns })).toBe(!mayDouble);
      expect(isReplayed(entry(name, forwarded), { pullsRuns })).toBe(!mayDouble);
      expect(isReplayed(entry(name, { payload: replacedPayload }), { pullsRuns })).toBe(false);
      expect(isReplayed(entry(name, { version: 1_000 }), { pullsRuns })).toBe(false);
    }
  },
);

test.each(mutationNames)('[DEVICE-14] a map waits for the runs where a pending %s reads them', (name) => {
  const reads = runLookups[name];
  expect(needsAllRecords(entry(name))).toBe(reads === 'run');
  expect(needsAllRecords(entry(name, resent))).toBe(reads !== 'none');
  expect(needsAllRecords(entry(name, forwarded))).toBe(true);
});

test('[TRANSFER-14] forwarded work is replayed until a pull after its answer, also before the first pull', () => {
  const answered = (cursor: string) =>
    entry('upload_recording', { ...forwarded, answer: { cursor, outcome: 'done' } }) as ForwardedEntry;
  expect(isInBase(entry('upload_recording', forwarded) as ForwardedEntry, 'a')).toBe(false);
  expect(isInBase(answered('a'), 'a')).toBe(false);
  expect(isInBase(answered('a'), 'b')).toBe(true);
  expect(isInBase(answered(''), undefined)).toBe(false);
  expect(isInBase(answered(''), 'a')).toBe(true);
});

test('[DEVICE-22] forwarded work that was refused is counted as pending until the outbox has settled it', () => {
  const error = { type: '', title: '', status: 404, code: 'map_not_found' } as Problem;
  for (const outcome of [error, 'forgotten'] as const) {
    const refused = entry('upload_recording', { ...forwarded, answer: { cursor: 'a', outcome } }) as ForwardedEntry;
    expect(isInBase(refused, 'b')).toBe(false);
  }
});
