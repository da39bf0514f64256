import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { mutationRowId, originOf, type DeviceBody, type MutationBody } from '../rows.ts';
import { deviceRowKey, isMutation, journalKeyOf, tombstoneKeyOfUnwritten } from './keys.ts';
import { withPastClient } from './lineage.ts';
import type { JournalRows } from './mirror.ts';
import { planRecovery } from './recovery.ts';

const first: DeviceBody = {
  kind: 'device',
  client_id: randomUUID(),
  last_seq: 2,
  device_id: randomUUID(),
  token: 'token',
  epoch: null,
};
const withNextNumber = (device: DeviceBody): DeviceBody => ({ ...device, last_seq: device.last_seq + 1 });
const withOtherClientId = (device: DeviceBody): DeviceBody => ({ ...withPastClient(device), client_id: randomUUID() });

let made = 0;
const nextMutation = ({ client_id, last_seq }: DeviceBody, more: Partial<MutationBody> = {}): MutationBody => ({
  kind: 'mutation',
  client_id,
  seq: last_seq,
  name: 'create_map',
  args: {},
  recorded_at: new Date(++made).toISOString(),
  state: 'pending',
  error: null,
  acknowledged_at: null,
  ...more,
});
const rowsOf = (device: DeviceBody, ...bodies: MutationBody[]): JournalRows =>
  new Map<string, unknown>([
    [deviceRowKey, device],
    ...bodies.map((body) => [journalKeyOf('outbox', mutationRowId(body.client_id, body.seq)), body] as const),
  ]);

const recoveryOf = (databaseRows: JournalRows, journalRows: JournalRows) => {
  const {
    rowsToPut: put,
    keysToRemove: removedKeys,
    device,
  } = planRecovery({ databaseRows, journalRows, tombstoneKeys: new Set() });
  const after = new Map([...databaseRows, ...put]);
  for (const key of removedKeys) after.delete(key);
  const origins = [...after.values()].filter(isMutation).map((body) => `${originOf(body)} ${body.recorded_at}`);
  return { put: put.size, goesOnAs: device?.client_id, works: origins.toSorted() };
};
const stableIdOf = (body: MutationBody) => `${originOf(body)} ${body.recorded_at}`;

test('[STORAGE-40] the later state of a device is the one that left the other, or gave more numbers, whichever client id it has', () => {
  const second = withOtherClientId(withNextNumber(first));
  const third = withOtherClientId(withNextNumber(second));
  const states = [first, withNextNumber(first), second, withNextNumber(second), third, withNextNumber(third)];
  for (const [earlier, device] of states.entries()) {
    for (const [later, mirrored] of states.entries()) {
      const lost = nextMutation(mirrored);
      const goesOnAs = earlier < later ? mirrored.client_id : undefined;
      const which = `database ${earlier}, second copy ${later}`;
      expect(recoveryOf(rowsOf(device), rowsOf(mirrored, lost)).goesOnAs, which).toBe(goesOnAs);
    }
  }
});

test('[STORAGE-61] work that was numbered anew since is not there under its earlier number too', () => {
  const before = nextMutation(first);
  const later = withNextNumber(withOtherClientId(first));
  const anew = nextMutation(later, { recorded_at: before.recorded_at, origin: originOf(before) });
  expect(recoveryOf(rowsOf(first, before), rowsOf(later, anew)).works).toEqual([stableIdOf(anew)]);
});

test('[STORAGE-41] of a database and a second copy that went on apart the work of both is kept, once', () => {
  const common = nextMutation(first);
  const [here, there] = [withNextNumber(first), withNextNumber(first)];
  const moved = withNextNumber(withOtherClientId(here));
  const [mine, theirs] = [nextMutation(here), nextMutation(there)];
  const [mineLater, theirsLater] = [nextMutation(moved), nextMutation(withNextNumber(there))];
  const journalRows = rowsOf(withNextNumber(there), common, theirs, theirsLater);
  const all = [common, mine, theirs, theirsLater];
  expect(recoveryOf(rowsOf(here, common, mine), journalRows).works).toEqual(all.map(stableIdOf).toSorted());
  expect(recoveryOf(rowsOf(moved, common, mine, mineLater), journalRows)).toMatchObject({
    works: [...all, mineLater].map(stableIdOf).toSorted(),
    goesOnAs: moved.client_id,
  });
});

test('[STORAGE-62] what is of another account is not taken from the second copy', () => {
  const [one, other] = [randomUUID(), randomUUID()].map((account_id) => ({ ...first, account_id }));
  const foreign = { ...other!, client_id: randomUUID() };
  expect(recoveryOf(rowsOf(one!), rowsOf(foreign, nextMutation(foreign)))).toEqual({
    put: 0,
    goesOnAs: undefined,
    works: [],
  });
});

test('[STORAGE-42] numbers of the second copy that the database refused make it no earlier one: what it took since stays', () => {
  const tap = journalKeyOf('drafts', 'session|000000');
  const databaseRows = rowsOf(first).set(tap, { kind: 'started' });
  const [mirrored, refused] = [withNextNumber(first), nextMutation(withNextNumber(first))];
  const journalRows = rowsOf(mirrored, refused);
  const tombstoneKeys = new Set([...journalRows].map(([key, body]) => tombstoneKeyOfUnwritten(key, body)));
  expect(planRecovery({ databaseRows, journalRows, tombstoneKeys })).toEqual({
    rowsToPut: new Map(),
    keysToRemove: [],
  });
  expect(planRecovery({ databaseRows, journalRows, tombstoneKeys: new Set() })).toMatchObject({
    keysToRemove: [tap],
    device: mirrored,
  });
  // A mutation made after the refused row shows that the database went back to an earlier state.
  journalRows.set(journalKeyOf('outbox', 'later'), nextMutation(withNextNumber(mirrored)));
  expect(planRecovery({ databaseRows, journalRows, tombstoneKeys })).toMatchObject({ device: mirrored });
});

test('[STORAGE-17] a second copy that has only rows, and no device, gives those that are unsent', () => {
  const lost = nextMutation(first);
  const journalRows = rowsOf(first, lost);
  journalRows.delete(deviceRowKey);
  expect(recoveryOf(rowsOf(first), journalRows)).toMatchObject({ put: 1, goesOnAs: undefined });
});
