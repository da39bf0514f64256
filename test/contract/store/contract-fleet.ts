import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDeviceReports } from '../../../server/fleet/device-reports.ts';
import {
  healthOfDevice,
  healthThresholdsDefault,
  healthCutoffsAt,
  healthOfFacts,
} from '../../../server/fleet/device-health.ts';
import type { DeviceStatusRow } from '../../../server/store/credentials/device-status.ts';
import { deviceHealths } from '../../../shared/schema/fleet.ts';
import { deviceReportHeader } from '../../../shared/protocol/device-report.ts';
import { systemWorld } from '../../../server/core/world.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { deviceRow, newAccount, tokenRow, write } from './records.ts';

const instantAt = (minute: number) => new Date(Date.parse('2026-04-10T00:00:00.000Z') + minute * 60_000).toISOString();

const status = (minute: number, fields: Partial<DeviceStatusRow> = {}): DeviceStatusRow => ({
  reported_at: instantAt(minute),
  pending: 3,
  oldest_unsent_at: instantAt(minute - 60),
  attention: 1,
  battery: 0.4,
  storage_free: 0.9,
  second_copy: 'kept',
  app_version: '0.1.0',
  platform: 'web',
  protocol: 1,
  ...fields,
});

export function fleetStoreContract({ store, newDatabase }: StoreUnderTest): void {
  const pairedDevice = async (accountId: string, fields = {}) => {
    const id = randomUUID();
    await write(store(), accountId, () => ({
      credentials: { devices: [deviceRow(id, fields)], tokens: [tokenRow(accountId)(id)], revocations: 0 },
    }));
    return { accountId, deviceId: id };
  };

  test('[FLEET-4] [FLEET-9] a status is written when the last write is old enough, and listed as it was written', async () => {
    const accountId = await newAccount(store());
    const key = await pairedDevice(accountId);
    const save = (minute: number, { after = minute - 1, fields = {} } = {}) =>
      store().saveDeviceStatus(key, {
        status: status(minute, fields),
        now: instantAt(minute),
        lastWrittenMax: instantAt(after),
      });
    expect(await save(1)).toBe(true);
    expect(await save(1.5)).toBe(false);
    expect(await save(0, { after: 9 })).toBe(false);
    const nothing = {
      oldest_unsent_at: null,
      battery: null,
      storage_free: null,
      second_copy: null,
      app_version: null,
      platform: null,
    };
    const other = await pairedDevice(accountId);
    const fleet = async () => (await store().devicesWithStatus(accountId, { limit: 10 })).rows;
    const found = async () => (await fleet()).find(({ id }) => id === key.deviceId)?.status;
    expect(await found()).toEqual(status(1));
    expect(await save(2, { fields: { pending: 0, ...nothing } })).toBe(true);
    expect(await found()).toEqual(status(2, { pending: 0, ...nothing }));
    expect((await fleet()).find(({ id }) => id === other.deviceId)?.status).toBeNull();
  });

  test('[FLEET-4] of writes at the same time one is taken', async () => {
    const key = await pairedDevice(await newAccount(store()));
    const written = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        store().saveDeviceStatus(key, {
          status: status(index / 60),
          now: instantAt(0.5),
          lastWrittenMax: instantAt(-0.5),
        }),
      ),
    );
    expect(written.filter(Boolean)).toHaveLength(1);
  });

  test('[FLEET-4] two processes with 1,000 devices write each device once a minute', async () => {
    const accountId = await newAccount(store());
    const devices = Array.from({ length: 1_000 }, () => randomUUID());
    const writes = new Map<string, number>();
    let now = Date.parse(instantAt(0));
    const counting: Pick<Store, 'saveDeviceStatus'> = {
      saveDeviceStatus: async (key, wanted) => {
        const isWritten = await store().saveDeviceStatus(key, wanted);
        if (isWritten) writes.set(key.deviceId, (writes.get(key.deviceId) ?? 0) + 1);
        return isWritten;
      },
    };
    const world = { ...systemWorld, now: () => now };
    const processes = [1, 2].map(() => createDeviceReports({ store: counting, world }));
    const reportAll = (pending: number) => {
      for (const deviceId of devices) {
        const header = (name: string) => (name === deviceReportHeader ? `pending=${pending}` : '1');
        for (const reports of processes) reports.record({ accountId, deviceId }, header);
      }
    };
    for (const pending of [1, 2, 3]) {
      reportAll(pending);
      now += 1_000;
    }
    await expect.poll(() => writes.size).toBe(1_000);
    await Promise.all(processes.map((reports) => reports.close()));
    expect([writes.size, new Set(writes.values())]).toEqual([1_000, new Set([1])]);
  });

  test('[FLEET-18] the counts of the store say the same as the rule, device by device', async () => {
    const database = await newDatabase();
    const fresh = await database.open();
    try {
      const now = Date.parse(instantAt(0));
      const cutoffs = healthCutoffsAt(healthThresholdsDefault, now);
      const seen = [0, 7.9 * 60, 8 * 60, 168 * 60];
      const statuses = [
        undefined,
        status(-1, { pending: 0, oldest_unsent_at: null }),
        status(-1, { oldest_unsent_at: instantAt(-1 - 24 * 60) }),
        status(-60, { oldest_unsent_at: instantAt(-60 - 24 * 60) }),
        status(-61, { oldest_unsent_at: instantAt(-9_999) }),
        status(-1, { protocol: 0 }),
        status(-1, { app_version: '0.0.1' }),
      ];
      const accountId = await newAccount(fresh);
      for (const minutesAgo of seen) {
        for (const reported of statuses) {
          const id = randomUUID();
          const token = tokenRow(accountId)(id);
          const credentials = { devices: [deviceRow(id)], tokens: [token], revocations: 0 };
          await write(fresh, accountId, () => ({ credentials }));
          await fresh.markTokenUsed({ accountId, tokenHash: token.token_hash }, instantAt(-minutesAgo));
          const saved = { now: instantAt(0), lastWrittenMax: instantAt(-1) };
          if (reported) await fresh.saveDeviceStatus({ accountId, deviceId: id }, { status: reported, ...saved });
        }
      }
      await write(fresh, accountId, () => ({
        credentials: { devices: [deviceRow(randomUUID(), { revoked_at: instantAt(-1) })], tokens: [], revocations: 0 },
      }));
      const { rows } = await fresh.devicesWithStatus(accountId, { limit: 100 });
      const counts = await fresh.deviceCounts(cutoffs);
      const { silentSeenMax } = cutoffs;
      const silent = rows.filter((device) => !device.revoked_at && device.last_seen_at! <= silentSeenMax);
      const silentSeenMin = '2000-01-01T00:00:00.000Z';
      const found = await fresh.silentDevices({ silentSeenMax, silentSeenMin, limit: 100 });
      expect(found.map(({ deviceId }) => deviceId).toSorted()).toEqual(silent.map(({ id }) => id).toSorted());
      expect(await fresh.silentDevices({ silentSeenMax, silentSeenMin, limit: 2 })).toHaveLength(2);
      expect(await fresh.silentDevices({ silentSeenMax, silentSeenMin: instantAt(0), limit: 2 })).toEqual([]);
      for (const health of deviceHealths) {
        const counted = counts.filter((facts) => healthOfFacts(facts) === health);
        const expected = rows.filter((device) => healthOfDevice(device, cutoffs) === health).length;
        expect(
          counted.reduce((sum, { devices }) => sum + devices, 0),
          health,
        ).toBe(expected);
        expect(expected, health).toBeGreaterThan(0);
      }
    } finally {
      await fresh.close();
      await database.remove();
    }
  });

  test('[FLEET-20] a sweep removes the statuses of devices that were revoked before its instant, in batches', async () => {
    const accountId = await newAccount(store());
    const revokedAt = [instantAt(-60), instantAt(-60), instantAt(-60), instantAt(60), null];
    const keys = [];
    for (const revoked_at of revokedAt) keys.push(await pairedDevice(accountId, { revoked_at }));
    for (const key of keys) {
      await store().saveDeviceStatus(key, { status: status(0), now: instantAt(0), lastWrittenMax: instantAt(-1) });
    }
    const retention = {
      idempotencyBefore: instantAt(0),
      unseenClientsBefore: instantAt(0),
      revokedDevicesBefore: instantAt(0),
      revokedCredentialsBefore: '2000-01-01T00:00:00.000Z',
      eventsBefore: '2000-01-01T00:00:00.000Z',
      rowsMax: 2,
    };
    const sweep = async () => (await store().sweepAccount(accountId, retention)).deviceStatuses;
    expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);
    const { rows } = await store().devicesWithStatus(accountId, { limit: 10 });
    const left = rows.filter((device) => device.status !== null).map(({ id }) => id);
    expect(left.toSorted()).toEqual(
      keys
        .slice(3)
        .map(({ deviceId }) => deviceId)
        .toSorted(),
    );
  });
}
