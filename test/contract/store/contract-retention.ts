/** Sweeps delete revoked tokens and devices. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deviceRow, keyOf, mapDoc, newAccount, tokenRow, write } from './records.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function retentionStoreContract({ store }: StoreUnderTest): void {
  test('[OPS-23] the tables take more bytes with more rows', async () => {
    const total = async () => (await store().tableBytes()).reduce((sum, { bytes }) => sum + bytes, 0);
    const accountId = await newAccount(store());
    const before = await total();
    await write(store(), accountId, (next) => ({
      maps: Array.from({ length: 300 }, () => mapDoc(next(), { description: 'x'.repeat(1_000) })),
    }));
    expect(await total()).toBeGreaterThan(before + 300_000);
  });

  test('[EVENTLOG-11] [EVENTLOG-12] a sweep removes old rows of events in batches, and says up to which version', async () => {
    const accountId = await newAccount(store());
    const actor = { kind: 'key', id: randomUUID() } as const;
    const dates = ['01', '02', '03', '04'].map((day) => `2026-04-${day}T00:00:00.000Z`);
    const versions: number[] = [];
    for (const created_at of dates) {
      await write(store(), accountId, (next) => {
        const made = [mapDoc(next()), mapDoc(next())];
        const events = made.map(({ id, version }) => ({ version, type: 'map.created', subjectId: id, actor }) as const);
        versions.push(...events.map(({ version }) => version));
        return { maps: made, events: [{ last_version: events[1]!.version, created_at, events }] };
      });
    }
    const read = async (after: number, rowsMax = 10, bytesMax = 1_000_000) => {
      const { rows, removedUpTo } = await store().events(accountId, { after, rowsMax, bytesMax });
      return { versions: rows.flatMap(({ events }) => events.map(({ version }) => version)), removedUpTo };
    };
    expect(await read(0)).toEqual({ versions, removedUpTo: 0 });
    expect(await read(0, 10, 1)).toEqual({ versions: versions.slice(0, 2), removedUpTo: 0 });
    expect(await read(versions[1]!, 1)).toEqual({ versions: versions.slice(2, 4), removedUpTo: 0 });
    const { rows } = await store().events(accountId, { after: 0, rowsMax: 1, bytesMax: 1 });
    expect(rows[0]).toMatchObject({ created_at: dates[0], events: [{ type: 'map.created', actor }, {}] });
    const old = { idempotencyBefore: dates[0]!, unseenClientsBefore: dates[0]!, revokedDevicesBefore: dates[0]! };
    const sweep = async (rowsMax: number) => {
      const before = { ...old, revokedCredentialsBefore: dates[0]!, eventsBefore: dates[3]! };
      return (await store().sweepAccount(accountId, { ...before, rowsMax })).events;
    };
    expect([await sweep(1), await sweep(1), await sweep(1)]).toEqual([1, 1, 0]);
    expect(await read(0)).toEqual({ versions: versions.slice(6), removedUpTo: versions[5] });
    expect(await sweep(9)).toBe(0);
  });

  test('[STORE-57] [STORE-58] a sweep removes what was revoked before its instant, in batches, and leaves who made a key that is there', async () => {
    const accountId = await newAccount(store());
    const [maker, lost, again, recent] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [old, late] = ['2025-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
    const parent = keyOf(accountId, { created_by: { kind: 'device', id: maker }, revoked_at: old });
    const child = keyOf(accountId, { created_by: { kind: 'key', id: parent.id } });
    const alone = [1, 2, 3].map(() => keyOf(accountId, { revoked_at: old }));
    const token = tokenRow(accountId);
    const tokens = [
      ...[lost, again].map((id) => ({ ...token(id), revoked_at: old })),
      token(again),
      { ...token(recent), revoked_at: late },
    ];
    const devices = [deviceRow(again), deviceRow(recent, { revoked_at: late })];
    const gone = [maker, lost].map((id) => deviceRow(id, { revoked_at: old }));
    await write(store(), accountId, () => ({
      credentials: { devices: [...devices, ...gone], tokens: [parent, child, ...alone, ...tokens], revocations: 1 },
    }));
    const before = {
      idempotencyBefore: old,
      unseenClientsBefore: old,
      revokedDevicesBefore: old,
      eventsBefore: old,
    };
    const sweep = async (rowsMax: number) => {
      const removed = await store().sweepAccount(accountId, { ...before, revokedCredentialsBefore: late, rowsMax });
      return [removed.tokens, removed.devices];
    };
    expect(await sweep(2)).toEqual([2, expect.any(Number)]);
    const rest = [await sweep(9), await sweep(9)];
    expect(rest[0]![0]).toBe(3);
    expect(rest[1]).toEqual([0, 0]);
    const { rows: keys } = await store().keys(accountId, { limit: 9 });
    expect(keys.map(({ id }) => id).toSorted()).toEqual([parent.id, child.id].toSorted());
    const { rows: left } = await store().devices(accountId, { limit: 9 });
    expect(left.map(({ id }) => id).toSorted()).toEqual([maker, again, recent].toSorted());
  });
}
