/** Arbitrary outboxes for property tests. Each is one that a device could have. */
import fc from 'fast-check';
import type { OutboxContent } from '../../client/outbox/model/content.ts';
import { entriesOf } from '../../client/outbox/model/content.ts';
import {
  mutationPayload,
  replacedPayload,
  type DiscardedEntry,
  type ForwardedEntry,
  type OutboxEntry,
  type Payload,
  type PendingEntry,
  type EntryNumber,
  type ReceiptEntry,
  type RefusedEntry,
  type MutationFields,
} from '../../client/outbox/model/entry.ts';
import { rowIdOf } from '../../client/outbox/model/parse-entry.ts';
import { originOf, type DeviceBody } from '../../client/storage/rows.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import { problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';
import { numberOf } from '../../client/outbox/model/entry.ts';

const ownClientId = '11111111-1111-4111-8111-111111111111';
const otherClientIds = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];
export const newClientId = '44444444-4444-4444-8444-444444444444';
const account_id = '55555555-5555-4555-8555-555555555555';
const at = '2026-03-01T08:00:00.000Z';

/** Identifies the work of an entry by its first client id and number, which stay the same when the entry is renumbered. */
export const tagOf = (entry: OutboxEntry): string => {
  const { client_id, origin } = entry;
  return originOf({ client_id, seq: numberOf(entry), ...(origin === undefined ? {} : { origin }) });
};

export const tagsOf = (entries: readonly OutboxEntry[]): string[] => entries.map(tagOf);

export const problem = (code: Problem['code']): Problem => problemOfAnyCode({ code, detail: `It is ${code}.` });

const mapIds = ['a', 'b', 'c'].map((digit) => `01a1fc69-d7f9-71cc-87c5-${digit.repeat(12)}`);
const mapId = fc.constantFrom(...mapIds);
const runId = fc.integer({ min: 2 ** 31, max: 2 ** 31 + 3 });

const stageId = fc.integer({ min: 2 ** 32, max: 2 ** 32 + 3 });

const mutation: fc.Arbitrary<Pick<MutationFields, 'name' | 'args'>> = fc.oneof(
  fc.record({ name: fc.constant('create_map' as const), args: fc.record({ map_id: mapId, name: fc.string() }) }),
  fc.record({ name: fc.constant('update_map' as const), args: fc.record({ map_id: mapId, name: fc.string() }) }),
  fc.record({
    name: fc.constant('update_stage' as const),
    args: fc.record({ map_id: mapId, stage_id: stageId, stage: fc.string() }),
  }),
  fc.record({ name: fc.constant('delete_run' as const), args: fc.record({ run_id: runId }) }),
  fc.record({
    name: fc.constant('upload_recording' as const),
    args: fc.record({
      map_id: mapId,
      recording_session_id: fc.uuid(),
      run_id: runId,
      stage_ids: fc.uniqueArray(stageId, { minLength: 1, maxLength: 1 }),
      steps: fc.constant([{ stage_name: 'Cut', order: 1, duration_secs: 1 }]),
    }),
  }),
);

const payload: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(mutationPayload) },
  { weight: 1, arbitrary: fc.constant(replacedPayload) },
  {
    weight: 1,
    arbitrary: fc.constant<Payload>({ kind: 'noop', because: 'unsendable', reason: problem('payload_too_large') }),
  },
);

const code = fc.constantFrom('map_not_found', 'map_deleted', 'id_taken', 'validation_failed', 'map_cap_reached');

interface Drawn {
  mutation: Pick<MutationFields, 'name' | 'args'>;
  payload: Payload;
  code: Problem['code'];
  isForeign: boolean;
  isAnswered: boolean;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  mutation,
  payload,
  code,
  isForeign: fc.boolean(),
  isAnswered: fc.boolean(),
});
const drawnList = fc.array(drawn, { maxLength: 5 });

const mutationFieldsOf = ({ mutation: { name, args }, payload: sent }: Drawn, client_id: string): MutationFields => ({
  client_id,
  name,
  args: sent.kind === 'noop' && sent.because === 'replaced' ? {} : args,
  recorded_at: at,
});

/** Counts down from the settled number. Entries for which no number is left are unnumbered. */
const numberAt = (settled: number, index: number): EntryNumber =>
  index < settled ? { kind: 'numbered', seq: settled - index } : { kind: 'unnumbered', order: settled - index };

/** Pending work has numbers above the settled one, kept work has lower numbers or none. Adds work of other clients. */
export const anyOutboxContent: fc.Arbitrary<OutboxContent> = fc
  .record({
    settled: fc.nat({ max: 6 }),
    offered: fc.nat({ max: 5 }),
    pending: drawnList,
    refused: drawnList,
    receipts: drawnList,
    discarded: drawnList,
    forwarded: fc.tuple(drawnList, drawnList),
    gap: fc.nat({ max: 3 }),
  })
  .map(({ settled, offered, pending, refused, receipts, discarded, forwarded, gap }) => {
    const device: DeviceBody = {
      kind: 'device',
      client_id: ownClientId,
      account_id,
      device_id: ownClientId,
      token: null,
      epoch: 'epoch-1',
      last_seq: settled + pending.length,
      offered_seq: settled + Math.min(offered, pending.length),
      proven_seq: settled,
      proven_chain: '',
    };
    let kept = 0;
    const nextNumber = () => numberAt(settled, kept++);
    let forwardOrder = 0;
    const sortedByNumber = <Entry extends OutboxEntry>(entries: Entry[]) =>
      entries.toSorted((a, b) => numberOf(a) - numberOf(b));
    return {
      device,
      pending: pending.map((one, index): PendingEntry => ({
        ...mutationFieldsOf(one, ownClientId),
        state: 'pending',
        seq: settled + 1 + index,
        payload: one.payload,
        proven_at: null,
      })),
      forwarded: forwarded.flatMap((ones, client) =>
        ones.map((one, index): ForwardedEntry => ({
          ...mutationFieldsOf(one, otherClientIds[client] ?? ownClientId),
          state: 'forwarded',
          // The sequence has a gap where entries were answered and removed.
          seq: index + 1 + (index > 1 ? gap : 0),
          payload: one.payload,
          proven_at: null,
          forwardOrder: ++forwardOrder,
          ...(one.isForeign ? { is_foreign: true } : {}),
          ...(one.isAnswered ? { answer: { cursor: 'cursor-0', outcome: 'done' as const } } : {}),
        })),
      ),
      refused: sortedByNumber(
        refused.map((one): RefusedEntry => ({
          ...mutationFieldsOf({ ...one, payload: mutationPayload }, ownClientId),
          state: 'refused',
          number: nextNumber(),
          error: problem(one.code),
          proven_at: null,
        })),
      ),
      receipts: sortedByNumber(
        receipts.map((one): ReceiptEntry => ({
          ...mutationFieldsOf({ ...one, payload: mutationPayload }, ownClientId),
          state: 'receipt',
          number: nextNumber(),
          proven_at: at,
        })),
      ),
      discarded: sortedByNumber(
        discarded.map((one, index): DiscardedEntry => ({
          ...mutationFieldsOf({ ...one, payload: mutationPayload }, ownClientId),
          state: 'discarded',
          number: nextNumber(),
          error: problem(one.code),
          proven_at: null,
          discarded_at: new Date(Date.parse(at) + index).toISOString(),
        })),
      ),
    };
  });

/** Returns whether the outbox has exactly the work with these tags, each piece in a row of its own. */
export function holdsExactly(content: OutboxContent, tags: readonly string[]): boolean {
  const entries = entriesOf(content);
  const rowIds = new Set(entries.map(rowIdOf));
  return rowIds.size === entries.length && haveEqualJson(tagsOf(entries).toSorted(), tags.toSorted());
}

export const haveEqualJson = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Returns whether the pending numbers have no gaps and end at the device's `last_seq`. */
export function isGapless({ device, pending }: OutboxContent): boolean {
  const first = device.last_seq - pending.length + 1;
  return (
    first >= 1 && pending.every(({ seq, client_id }, index) => seq === first + index && client_id === device.client_id)
  );
}
