import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutationRowId, type DeviceBody, type MutationBody } from '../rows.ts';
import { findKeysWithTwoMutations, findRowsToMerge } from './diverged.ts';
import { isMutation, journalKeyOf, stableIdOf } from './keys.ts';
import type { JournalRows } from './mirror.ts';

const client_id = randomUUID();
const deviceOf = (last_seq: number): DeviceBody => ({
  kind: 'device',
  client_id,
  last_seq,
  device_id: randomUUID(),
  token: null,
  epoch: null,
});

/** Makes `count` mutations from the number `first` on. Two sides make different mutations. */
const mutationsOf = (side: string, first: number, count: number): MutationBody[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'mutation',
    client_id,
    seq: first + index,
    name: 'create_map',
    args: {},
    recorded_at: `${side} ${first + index}`,
    state: 'pending',
    error: null,
    acknowledged_at: null,
  }));

const rowsOf = (bodies: MutationBody[]): JournalRows =>
  new Map(bodies.map((body) => [journalKeyOf('outbox', mutationRowId(body.client_id, body.seq)), body]));
const count = fc.integer({ min: 0, max: 6 });

test('[STORAGE-41] a journal that diverged loses and doubles no work, and the numbers stay without gaps and in order', () => {
  fc.assert(
    fc.property(count, count, count, (common, here, there) => {
      const both = mutationsOf('both', 1, common);
      const databaseRows = rowsOf([...both, ...mutationsOf('here', common + 1, here)]);
      const journalRows = rowsOf([...both, ...mutationsOf('there', common + 1, there)]);
      const lostRows = new Map([...journalRows].filter(([key]) => !databaseRows.has(key)));
      expect(findKeysWithTwoMutations(journalRows, databaseRows)).toHaveLength(Math.min(here, there));

      const taken = findRowsToMerge({ journalRows, databaseRows, lostRows, device: deviceOf(common + here) });
      for (const [key, body] of taken) if (isMutation(body)) expect(databaseRows.has(key)).toBe(false);
      const merged = [...databaseRows.values(), ...taken.values()].filter(isMutation);
      const all = [...databaseRows.values(), ...journalRows.values()].filter(isMutation).map(stableIdOf);
      expect(merged.map(stableIdOf).toSorted()).toEqual([...new Set(all)].toSorted());
      expect(merged.map(({ seq }) => seq)).toEqual(Array.from(merged, (_, index) => index + 1));
      const fromThere = merged.map(({ recorded_at }) => recorded_at).filter((it) => it.startsWith('there'));
      expect(fromThere).toEqual(mutationsOf('there', common + 1, there).map(({ recorded_at }) => recorded_at));
    }),
  );
});
