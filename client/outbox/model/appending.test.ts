import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { anyOutboxContent, isGapless } from '../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import { upcasters } from '../../../shared/schema/mutation-versions.ts';
import { appendMutations } from './appending.ts';

const mapId = '01a1fc69-d7f9-71cc-87c5-bdeac5a21ee6';
const recordedAt = '2026-03-01T09:00:00.000Z';

test('[OUTBOX-1] [OUTBOX-38] [OUTBOX-39] new mutations get the next numbers, in the order in which they were made', () => {
  const names = fc.array(fc.string(), { maxLength: 4 });
  checkProperty(
    fc.property(anyOutboxContent, names, (content, made) => {
      const mutations = made.map((name) => ({ name: 'update_map' as const, args: { map_id: mapId, name } }));
      const { device, entries } = appendMutations(content.device, mutations, recordedAt);
      expect(isGapless({ ...content, device, pending: [...content.pending, ...entries] })).toBe(true);
      expect(entries.map(({ args }) => args['name'])).toEqual(made);
      expect({ ...device, last_seq: content.device.last_seq }).toEqual(content.device);
    }),
  );
});

test('[OUTBOX-1] a new entry is pending, has no field without a value, and names a version after the first', () => {
  const device = { kind: 'device', client_id: 'mine', device_id: '', last_seq: 4, token: null, epoch: null } as const;
  const args = { map_id: mapId, name: 'Press', industry: undefined } as { map_id: string; name: string };
  const append = () => appendMutations(device, [{ name: 'update_map', args }], recordedAt).entries;
  const entry = {
    client_id: 'mine',
    name: 'update_map',
    args: { map_id: mapId, name: 'Press' },
    recorded_at: recordedAt,
    state: 'pending',
    seq: 5,
    payload: { kind: 'mutation' },
    proven_at: null,
  };
  expect(append()).toStrictEqual([entry]);
  upcasters.update_map = [(older) => older];
  onTestFinished(() => {
    delete upcasters.update_map;
  });
  expect(append()).toStrictEqual([{ ...entry, version: 2 }]);
});
