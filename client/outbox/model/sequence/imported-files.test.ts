/** Examples of single files, which the properties of importing.test.ts leave open. */
import { expect, test } from 'vitest';
import { newClientId, problem, tagsOf } from '../../../../test/device/outbox-content.ts';
import type { MutationBody } from '../../../storage/rows.ts';
import { randomIds } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import { newDevice } from '../device.ts';
import { mutationPayload, type PendingEntry } from '../entry.ts';
import { importDeciderOf } from './importing.ts';

const recorded_at = '2026-03-01T08:00:00.000Z';
const account_id = '55555555-5555-4555-8555-555555555555';
const copyClientId = '66666666-6666-4666-8666-666666666666';
const device = { ...newDevice(randomIds), account_id, last_seq: 2, offered_seq: 2 };
const { client_id } = device;

const pending = (seq: number): PendingEntry => ({
  client_id,
  seq,
  name: 'update_map',
  args: { map_id: 'map', name: `Name ${seq}` },
  recorded_at,
  proven_at: null,
  state: 'pending',
  payload: mutationPayload,
});
const content: OutboxContent = {
  device,
  pending: [pending(1), pending(2)],
  forwarded: [],
  refused: [],
  receipts: [],
  discarded: [],
};

const body = (fields: Pick<MutationBody, 'client_id' | 'seq'> & Partial<MutationBody>): MutationBody => ({
  kind: 'mutation',
  name: 'update_map',
  args: { map_id: 'map', name: `Name ${fields.seq}` },
  recorded_at,
  state: 'carried',
  error: null,
  acknowledged_at: null,
  ...fields,
});
const own = (seq: number) => body({ client_id, seq });
const ofCopy = (seq: number, fields: Partial<MutationBody> = {}) => body({ client_id: copyClientId, seq, ...fields });

/** Imports these mutations, each under its number as its mark; the device has the marks `known`. */
function imported(bodies: MutationBody[], known: number[] = [], of = account_id) {
  const mutations = bodies.map((one) => ({ mark: String(one.seq), body: one }));
  const hasMark = (mark: string) => known.includes(Number(mark));
  const { content: after, marks } = importDeciderOf({ account_id: of, mutations })(content, {
    hasMark,
    client_id: newClientId,
  });
  return {
    pending: tagsOf(after.pending),
    forwarded: tagsOf(after.forwarded),
    refused: after.refused.map(({ error }) => error.code),
    marks,
  };
}
const tags = (client: string, ...seqs: number[]) => seqs.map((seq) => `${client}|${seq}`);

test('[OUTBOX-37] a file brings what is unsent and what was refused, without what this device exported or imported before', () => {
  const refused = { state: 'refused', error: problem('map_deleted') } as const;
  expect(imported([ofCopy(3), ofCopy(4, refused), ofCopy(5), ofCopy(6, refused)], [5, 6])).toEqual({
    pending: tags(client_id, 1, 2),
    forwarded: tags(copyClientId, 3),
    refused: ['map_deleted'],
    marks: ['3', '4'],
  });
});

test('[OUTBOX-37] a file of another account is refused', () => {
  const before = { name: 'GembaError', code: 'account_mismatch' };
  expect(() => imported([ofCopy(3)], [], crypto.randomUUID())).toThrow(expect.objectContaining(before));
});

test('[OUTBOX-39] what a copy made after work that is pending here goes behind that work', () => {
  const behind = { pending: [], forwarded: [...tags(client_id, 1, 2), ...tags(copyClientId, 3)] };
  expect(imported([own(1), ofCopy(3)], [1])).toMatchObject(behind);
  expect(imported([own(1), ofCopy(3)])).toMatchObject(behind);
});

test('[OUTBOX-39] work stays pending if the file has nothing new, or nothing of that work', () => {
  const asBefore = { pending: tags(client_id, 1, 2), forwarded: [] };
  expect(imported([own(1)], [1])).toMatchObject(asBefore);
  expect(imported([own(1)])).toMatchObject(asBefore);
  const other = ofCopy(3, { origin: `${client_id}|1` });
  expect(imported([other])).toMatchObject({ ...asBefore, forwarded: tags(client_id, 1) });
  const refusedBefore = body({ client_id, seq: 1, state: 'refused', error: problem('map_deleted') });
  expect(imported([refusedBefore, ofCopy(3)], [1])).toMatchObject({ ...asBefore, forwarded: tags(copyClientId, 3) });
});
