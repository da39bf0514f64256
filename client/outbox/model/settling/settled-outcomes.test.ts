/** Examples of single outcomes, which the properties of settlement.test.ts leave open. */
import { expect, test } from 'vitest';
import { problem } from '../../../../test/device/outbox-content.ts';
import type { DeviceBody, ForwardedOutcome } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import type { ForwardedEntry } from '../entry.ts';
import { outcomeUnknownProblem } from '../parse-entry.ts';
import { settledSeqOf, settleForwarded, settlePending } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const device = (fields: Partial<DeviceBody>): DeviceBody => ({
  kind: 'device',
  client_id: 'mine',
  last_seq: 5,
  device_id: 'mine',
  token: null,
  epoch: null,
  ...fields,
});

const forwarded = (name: string, answer?: ForwardedEntry['answer']): ForwardedEntry => ({
  state: 'forwarded',
  client_id: 'theirs',
  origin: 'theirs',
  seq: 1,
  name: name as ForwardedEntry['name'],
  args: { map_id: 'map', recording_session_id: 'session', steps: [] },
  version: 1,
  recorded_at: now,
  proven_at: null,
  payload: { kind: 'mutation' },
  ...(answer ? { answer } : {}),
});

const content = (fields: Partial<OutboxContent>): OutboxContent => ({
  device: device({}),
  pending: [],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
  ...fields,
});

function settledBy(name: string, outcome: ForwardedOutcome) {
  const before = content({ forwarded: [forwarded(name, { cursor: 'earlier', outcome })] });
  const after = settleForwarded(before, { client: undefined, epoch: 'epoch', cursor: 'later' }, now);
  return {
    forwarded: after.forwarded.length,
    refused: after.refused.map(({ error }) => error),
    receipts: after.receipts.length,
  };
}

test('[OUTBOX-2] forwarded work is settled as its answer says: a receipt, a refusal with its reason, or an unknown outcome', () => {
  const error = problem('map_deleted');
  const settled = { forwarded: 0, refused: [], receipts: 0 };

  expect(settledBy('upload_recording', 'done')).toEqual({ ...settled, receipts: 1 });
  expect(settledBy('update_map', 'done')).toEqual(settled);
  expect(settledBy('upload_recording', error)).toEqual({ ...settled, refused: [error] });
  expect(settledBy('update_map', 'forgotten')).toEqual({ ...settled, refused: [outcomeUnknownProblem] });
});

test('[OUTBOX-36] what could not be sent is refused for the device’s own reason, in either place', () => {
  const reason = problem('payload_too_large');
  const payload = { kind: 'noop', because: 'unsendable', reason } as const;
  const error = problem('validation_failed');
  const { state: _state, ...fields } = forwarded('update_map');
  const pending = { ...fields, state: 'pending' as const, seq: 1, payload };
  const client = { last_seq: 1, rejections: [{ seq: 1, error }] };
  const state = { client, epoch: 'epoch', cursor: 'later' };
  const before = content({ device: device({ offered_seq: 1 }), pending: [pending] });
  expect(settlePending(before, state, now).refused.map((entry) => entry.error)).toEqual([reason]);
  const answered = { ...forwarded('update_map', { cursor: 'earlier', outcome: error }), payload };
  const after = settleForwarded(content({ forwarded: [answered] }), { ...state, client: undefined }, now);
  expect(after.refused.map((entry) => entry.error)).toEqual([reason]);
});

test('[OUTBOX-37] forwarded work that was replaced ends with its answer, whatever that is, since other work stands for it', () => {
  const replaced = (outcome: ForwardedOutcome): ForwardedEntry => ({
    ...forwarded('upload_recording', { cursor: 'earlier', outcome }),
    payload: { kind: 'noop', because: 'replaced' },
  });
  for (const outcome of ['done', 'forgotten', problem('validation_failed')] as const) {
    const before = content({ forwarded: [replaced(outcome)] });
    expect(settleForwarded(before, { client: undefined, epoch: 'epoch', cursor: 'later' }, now)).toEqual(content({}));
  }
});

test('[OUTBOX-2] what is settled has a number in the place of its turn and its answer', () => {
  const answered = { ...forwarded('upload_recording', { cursor: 'earlier', outcome: 'done' }), forwardOrder: 3 };
  const before = content({ forwarded: [answered] });
  const { answer: _answer, forwardOrder: _order, payload: _payload, seq: _seq, ...fields } = answered;
  const [receipt] = settleForwarded(before, { client: undefined, epoch: 'epoch', cursor: 'later' }, now).receipts;
  expect(receipt).toStrictEqual({
    ...fields,
    client_id: 'mine',
    state: 'receipt',
    proven_at: now,
    number: { kind: 'unnumbered', order: 0 },
  });
});

test('[OUTBOX-2] forwarded work without an answer, or without a pull behind it, waits', () => {
  const waiting = [forwarded('upload_recording'), forwarded('upload_recording', { cursor: 'same', outcome: 'done' })];
  const pulled = { client: undefined, epoch: 'epoch', cursor: 'same' };

  expect(settleForwarded(content({ forwarded: waiting }), pulled, now).forwarded).toEqual(waiting);
  const ended = settleForwarded(content({ forwarded: waiting }), { ...pulled, hasPullEnded: true }, now);
  expect({ forwarded: ended.forwarded, receipts: ended.receipts.length }).toEqual({
    forwarded: [waiting[0]],
    receipts: 1,
  });
});

test('[OUTBOX-38] numbers beyond what was sent count only on a verified chain, and no other chain is adopted', () => {
  const progress = { last_seq: 5, acked_seq: 0, rejections: [] };
  const chained = { ...progress, chain: 'chain' };
  const unproven = device({ offered_seq: 3 });
  const proven = device({ offered_seq: 3, proven_seq: 2, proven_chain: 'before' });
  const deviceAfter = (client: typeof progress, before: DeviceBody) =>
    settlePending(content({ device: before }), { client, epoch: 'epoch', cursor: 'cursor' }, now).device;

  expect(settledSeqOf(chained, unproven)).toBe(3);
  expect(settledSeqOf(progress, proven)).toBe(3);
  expect(settledSeqOf(chained, proven)).toBe(5);
  expect(deviceAfter(progress, proven)).toEqual(proven);
  expect(deviceAfter(chained, unproven)).toEqual(unproven);
  expect(deviceAfter({ ...chained, last_seq: 3 }, unproven)).toMatchObject({ proven_seq: 3, offered_seq: 3 });
  expect(deviceAfter(chained, proven)).toMatchObject({ proven_seq: 5, proven_chain: 'chain', offered_seq: 5 });
});
