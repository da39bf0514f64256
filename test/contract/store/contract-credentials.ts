import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Creator } from '../../../shared/schema/auth.ts';
import type { CountPairingEventOutcome } from '../../../server/store/credentials/credentials.ts';
import type { Store } from '../../../server/store/store.ts';
import type { TransactionReadSet } from '../../../server/store/transaction.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { deviceRow, instant, keyOf, newAccount, nothing, tokenRow, write } from './records.ts';

const later = '2026-04-02T00:00:00.000Z';

const readSetOfCredentials = (deviceIds: string[], keyIds: string[] = []): TransactionReadSet => ({
  ...nothing,
  credentials: { deviceIds, keyIds, creators: [] },
});

const loadCredentials = (store: Store, accountId: string, readSet: TransactionReadSet) =>
  store.transact(accountId, readSet, ({ credentials }) => ({ result: credentials! }));

export function credentialStoreContract({ store, open }: StoreUnderTest): void {
  test('[BACKUP-12] [BACKUP-17] [BACKUP-18] the tokens of all devices are ended at once, with the keys that they made, and other keys stay', async () => {
    const accountId = await newAccount(store());
    const [phone, key] = [randomUUID(), keyOf(accountId)];
    const token = tokenRow(accountId)(phone);
    const made = keyOf(accountId, { created_by: { kind: 'device', id: phone } });
    await write(store(), accountId, () => ({
      credentials: { devices: [deviceRow(phone, { kind: 'phone' })], tokens: [key, token, made], revocations: 0 },
    }));
    const { revoked } = await store().revokeAllDevicesAndTheirKeys(later);
    expect(revoked).toBeGreaterThanOrEqual(1);
    const { devices, tokens } = await loadCredentials(
      store(),
      accountId,
      readSetOfCredentials([phone], [key.id, made.id]),
    );
    expect(devices).toMatchObject([{ id: phone, revoked_at: later }]);
    const revokedAt = new Map(tokens.map((row) => [row.id, row.revoked_at]));
    expect([revokedAt.get(key.id), revokedAt.get(made.id)]).toEqual([null, later]);
  });

  test('[STORE-31] a transaction loads the devices and tokens that it wants, counts phones and keys, and writes them', async () => {
    const accountId = await newAccount(store());
    const [phone, watch, gone] = [randomUUID(), randomUUID(), randomUUID()];
    const [key, reader] = [keyOf(accountId), keyOf(accountId, { scopes: ['read'] })];
    const tokens = [phone, watch, gone].map(tokenRow(accountId));
    const devices = [
      deviceRow(phone, { kind: 'phone' }),
      deviceRow(watch),
      deviceRow(gone, { kind: 'phone', revoked_at: later }),
    ];
    await write(store(), accountId, () => ({
      credentials: { devices, tokens: [key, reader, ...tokens], revocations: 4 },
    }));
    expect((await store().account(accountId))!.revocations).toBe(4);
    await store().markTokenUsed({ accountId, tokenHash: tokens[0]!.token_hash }, instant);
    const loaded = await loadCredentials(store(), accountId, readSetOfCredentials([phone, gone], [key.id]));
    expect(loaded).toMatchObject({ phoneCount: 1, deviceCount: 2, keyCount: 2, adminKeyCount: 1 });
    expect(loaded.devices).toHaveLength(2);
    expect(loaded.devices).toContainEqual({ ...devices[0], last_seen_at: instant });
    expect(loaded.tokens.map(({ id }) => id).toSorted()).toEqual([key.id, tokens[0]!.id, tokens[2]!.id].toSorted());

    await write(store(), accountId, () => ({
      credentials: {
        devices: [{ ...devices[0]!, name: 'Again', paired_at: later, code_hash: 'd' }],
        tokens: [
          { ...tokens[0]!, name: 'Other', revoked_at: later },
          { ...key, revoked_at: later },
        ],
        revocations: 5,
      },
    }));
    const after = await loadCredentials(store(), accountId, readSetOfCredentials([phone], [key.id]));
    expect(after).toMatchObject({ keyCount: 1, adminKeyCount: 0, tokens: [{ id: key.id, revoked_at: later }] });
    expect(after.devices).toMatchObject([{ list_id: devices[0]!.list_id, name: 'Again', code_hash: 'd' }]);
    expect(await store().token({ accountId, tokenHash: tokens[0]!.token_hash })).toEqual({
      ...tokens[0],
      last_used_at: instant,
      revoked_at: later,
    });
    const other = await newAccount(store());
    const foreign = await loadCredentials(store(), other, readSetOfCredentials([phone, 'x'], [key.id, 'x']));
    expect(foreign).toEqual({
      devices: [],
      tokens: [],
      keysOfCreators: [],
      phoneCount: 0,
      deviceCount: 0,
      keyCount: 0,
      adminKeyCount: 0,
    });
  });

  test('[AUTH-50] the keys of a device or key are loaded with those that these made, also past a revoked one', async () => {
    const [accountId, other] = [await newAccount(store()), await newAccount(store())];
    const id = (index: number) => `0190a1b2-0000-7000-8000-00000000000${index}`;
    const device = { kind: 'device', id: id(9) } as const;
    const rotated = keyOf(accountId, { id: id(1), created_by: device, revoked_at: later });
    const next = keyOf(accountId, { id: id(2), created_by: { kind: 'key', id: rotated.id } });
    const last = keyOf(accountId, { id: id(3), created_by: { kind: 'key', id: next.id } });
    // A device may have the same id as a key.
    const namesake = keyOf(accountId, { id: id(4), created_by: { kind: 'device', id: next.id } });
    const tokens = [keyOf(accountId), rotated, next, last, namesake];
    await write(store(), accountId, () => ({ credentials: { devices: [], tokens, revocations: 0 } }));
    const foreign = keyOf(other, { id: id(5), created_by: device });
    await write(store(), other, () => ({ credentials: { devices: [], tokens: [foreign], revocations: 0 } }));
    const createdBy = async (...creators: Creator[]) => {
      const readSet = { ...nothing, credentials: { deviceIds: [], keyIds: [], creators } };
      return (await loadCredentials(store(), accountId, readSet)).keysOfCreators;
    };
    const rows = [rotated, next, last].map((row) => ({ ...row, last_used_at: null }));
    expect(await createdBy(device)).toEqual(rows);
    expect(await createdBy({ kind: 'key', id: rotated.id })).toEqual(rows.slice(1));
    expect(await createdBy({ kind: 'key', id: last.id })).toEqual([]);
  });

  test('[STORE-32] devices and keys are listed newest first, a page at a time', async () => {
    const accountId = await newAccount(store());
    const ids = Array.from({ length: 5 }, (_, index) => `0190a1b2-0000-7000-8000-00000000000${index}`);
    const devices = ids.map((list_id) => deviceRow(randomUUID(), { list_id, name: list_id }));
    const tokens = ids.map((id) => keyOf(accountId, { id, name: id }));
    await write(store(), accountId, () => ({
      credentials: { devices, tokens: [...tokens, tokenRow(accountId)(devices[0]!.id)], revocations: 0 },
    }));
    await store().markTokenUsed({ accountId, tokenHash: tokens[1]!.token_hash }, later);
    await store().markTokenUsed({ accountId, tokenHash: tokens[1]!.token_hash }, instant);
    for (const list of ['devices', 'keys'] as const) {
      const names: string[] = [];
      let before: string | null | undefined;
      while (before !== null) {
        const query = before === undefined ? { limit: 2 } : { limit: 2, before };
        const page: { rows: { name: string }[]; next: string | null } = await store()[list](accountId, query);
        names.push(...page.rows.map(({ name }) => name));
        before = page.next;
      }
      expect(names).toEqual(ids.toReversed());
    }
    const { rows } = await store().keys(accountId, { limit: 5 });
    expect(rows[3]).toEqual({
      id: ids[1],
      name: ids[1],
      scopes: ['read', 'admin'],
      last_four: 'beef',
      created_at: instant,
      created_by: null,
      last_used_at: later,
      revoked_at: null,
    });
    expect((await store().devices(accountId, { limit: 1 })).rows).toEqual([
      { id: devices[4]!.id, name: ids[4], kind: 'wearable', paired_at: instant, last_seen_at: null, revoked_at: null },
    ]);
  });

  test('[STORE-33] [STORE-48] [STORE-49] a pairing code is claimed by one device, as long as it lives and for its kind; a look claims nothing', async () => {
    const other = await open();
    const code = {
      code_hash: randomUUID(),
      account_id: randomUUID(),
      device_kind: 'phone' as const,
      expires_at: later,
      created_by: { kind: 'key' as const, id: randomUUID() },
    };
    const origin = { account_id: code.account_id, created_by: code.created_by, expires_at: later };
    expect(await store().createPairingCode(code)).toBe(true);
    expect(await other.createPairingCode({ ...code, account_id: randomUUID() })).toBe(false);
    const { code_hash } = code;
    const claim = (device_id: string, fields: object = {}) =>
      ({ code_hash, device_id, device_kind: 'phone', now: instant, ...fields }) as const;
    const devices = Array.from({ length: 6 }, () => randomUUID());
    expect(await store().claimPairingCode(claim(devices[0]!, { device_kind: 'wearable' }))).toBeUndefined();
    expect(await store().claimPairingCode(claim(devices[0]!, { now: later }))).toBeUndefined();
    expect(await store().claimPairingCode(claim(devices[0]!, { code_hash: 'none' }))).toBeUndefined();
    const look = (fields: object = {}) =>
      other.pairingCodeOrigin({ ...claim(devices[0]!), device_id: null, ...fields });
    expect(await look()).toEqual(origin);
    expect(await look({ device_id: devices[5] })).toEqual(origin);
    for (const unfit of [{ device_kind: 'wearable' }, { now: later }, { code_hash: 'none' }]) {
      expect(await look(unfit)).toBeUndefined();
    }
    const claims = devices.map((id, index) => (index % 2 ? other : store()).claimPairingCode(claim(id)));
    const claimed = await Promise.all(claims);
    expect(claimed.filter((given) => given !== undefined)).toEqual([origin]);
    const winner = devices[claimed.findIndex((given) => given !== undefined)]!;
    expect(await other.claimPairingCode(claim(winner))).toEqual(origin);
    expect(await look({ device_id: winner })).toEqual(origin);
    for (const device_id of [null, randomUUID()]) expect(await look({ device_id })).toBeUndefined();
    await store().sweepPairing(instant);
    expect(await store().claimPairingCode(claim(winner))).toEqual(origin);
    await store().sweepPairing('2026-04-02T00:00:00.001Z');
    expect(await store().claimPairingCode(claim(winner))).toBeUndefined();
    await other.close();
  });

  test('[LIMIT-29] failures that a clock far ahead counted keep nobody out once it is right again', async () => {
    const counter = randomUUID();
    const at = Date.parse(instant);
    const fail = (time: number) => store().countPairingEvent({ counter, at: time, windowMs: 1_000, eventsMax: 1 });
    expect(await fail(at + 7_200_000)).toEqual({ ok: true });
    expect(await fail(at)).toEqual({ ok: true });
    expect(await fail(at + 1)).toEqual({ ok: false, oldestAt: at });
  });

  test('[STORE-34] failures are counted up to their bound, however many fail at once, and forgotten or forgiven one by one', async () => {
    const other = await open();
    const counter = randomUUID();
    const at = Date.parse(instant);
    const fail = (time: number, from = store()): Promise<CountPairingEventOutcome> =>
      from.countPairingEvent({ counter, at: time, windowMs: 1_000, eventsMax: 3 });
    const refusals = (answers: CountPairingEventOutcome[]) => answers.filter(({ ok }) => !ok);
    const atOnce = await Promise.all(Array.from({ length: 8 }, (_, index) => fail(at, index % 2 ? other : store())));
    expect(refusals(atOnce)).toEqual(Array.from({ length: 5 }, () => ({ ok: false, oldestAt: at })));
    expect(await fail(at + 999)).toEqual({ ok: false, oldestAt: at });
    await store().uncountPairingEvent({ counter, at });
    await store().uncountPairingEvent({ counter, at: at + 5 });
    await store().uncountPairingEvent({ counter: 'nobody', at });
    expect(refusals([await fail(at + 999), await fail(at + 999)])).toEqual([{ ok: false, oldestAt: at }]);
    const slid = [await fail(at + 1_000), await fail(at + 1_000), await fail(at + 1_000)];
    expect(refusals(slid)).toEqual([{ ok: false, oldestAt: at + 999 }]);
    expect(await other.countPairingEvent({ counter: randomUUID(), at, windowMs: 1, eventsMax: 1 })).toEqual({
      ok: true,
    });
    await store().sweepPairing('2026-04-01T09:30:02.124Z');
    expect(refusals([await fail(at), await fail(at), await fail(at)])).toEqual([]);
    await other.close();
  });
}
