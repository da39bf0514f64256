import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { NewTokenRow } from '../../../server/store/credentials/credentials.ts';
import type { Poke } from '../../../server/store/store.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { instant, mapDoc, newAccount, nothing, write } from './records.ts';

const idempotentReplyAt = (key: string, created_at: string) => ({
  key,
  fingerprint: 'f',
  status: 201,
  headers: { location: '/x', etag: '"1"' },
  body: { zebra: 1, apple: { b: 0.1, a: [null, '😀', '\u0000'] } },
  created_at,
  keys_before: 0,
  bytes_before: 0,
});

export function accountStoreContract({ store, open, newDatabase }: StoreUnderTest): void {
  test('[RELAY-22] of two processes that add a key of the server under one id, one adds it, and both read it', async () => {
    const other = await open();
    onTestFinished(() => other.close());
    const keyOf = (key_id: number, created_at: string) =>
      ({ key_id, kem: 'p256', private_key: `private ${created_at}`, public_key: 'AAEC', created_at }) as const;
    const later = '2026-05-01T00:00:00.000Z';
    const tries = await Promise.all([store().addServerKey(keyOf(7, instant)), other.addServerKey(keyOf(7, instant))]);
    expect(tries.toSorted()).toEqual([false, true]);
    expect(await other.addServerKey(keyOf(3, later))).toBe(true);
    expect(await store().serverKeys()).toEqual([keyOf(3, later), keyOf(7, instant)]);
    await other.removeServerKey(7);
    expect(await store().serverKeys()).toEqual([keyOf(3, later)]);
    await store().removeServerKey(3);
    expect(await other.serverKeys()).toEqual([]);
  });

  test('[STORE-17] accounts and tokens come back as they were written', async () => {
    const accountId = await newAccount(store());
    const made = {
      id: accountId,
      name: 'Works',
      plan: 'team',
      additional_seats: 3,
      seats_limited: true,
      created_at: instant,
    };
    const counters = {
      version: 0,
      next_id: 1,
      live_maps: 0,
      bytes: 0,
      was_restored: false,
      keys_made: 0,
      key_bytes_made: 0,
    };
    expect(await store().account(accountId)).toEqual({ ...made, ...counters, revocations: 0 });
    const fields = { name: 'Wörks', plan: 'free', additional_seats: 0, seats_limited: false } as const;
    const credentials = { devices: [], tokens: [], revocations: 0 };
    await write(store(), accountId, () => ({ credentials: { ...credentials, account: fields } }));
    const changed = { ...made, ...fields, ...counters, revocations: 2 };
    await write(store(), accountId, () => ({ credentials: { ...credentials, revocations: 2 } }));
    expect(await store().account(accountId)).toEqual(changed);
    expect(await store().account(randomUUID())).toBeUndefined();

    const token: NewTokenRow = {
      account_id: accountId,
      token_hash: 'a'.repeat(64),
      id: randomUUID(),
      kind: 'device',
      name: 'Watch',
      scopes: ['read', 'record'],
      device_id: randomUUID(),
      last_four: 'beef',
      created_at: instant,
      created_by: null,
      revoked_at: null,
    };
    await store().createToken(token);
    await store().createToken({ ...token, token_hash: 'b'.repeat(64), device_id: null, revoked_at: instant });
    expect(await store().token({ accountId, tokenHash: token.token_hash })).toEqual({ ...token, last_used_at: null });
    expect(await store().token({ accountId, tokenHash: 'b'.repeat(64) })).toMatchObject({
      device_id: null,
      revoked_at: instant,
    });
    expect(await store().token({ accountId, tokenHash: 'c' })).toBeUndefined();
    expect(await store().token({ accountId: randomUUID(), tokenHash: token.token_hash })).toBeUndefined();
  });

  test('[STORE-18] a sync client belongs to whoever claimed it first, also when several claim at once', async () => {
    const clientId = randomUUID();
    const owners = Array.from({ length: 6 }, (_, index) => ({
      accountId: randomUUID(),
      deviceId: index % 2 ? randomUUID() : null,
    }));
    const other = await open();
    const claims = owners.map((owner, index) => (index % 2 ? other : store()).claimClient(clientId, owner));
    const [first, ...rest] = await Promise.all(claims);
    expect(owners).toContainEqual(first);
    for (const answer of rest) expect(answer).toEqual(first);
    expect(await other.claimClient(clientId, owners[0]!)).toEqual(first);
    await store().releaseClient(clientId, { accountId: randomUUID(), deviceId: null });
    expect(await other.clientOwner(clientId)).toEqual(first);
    await store().releaseClient(clientId, first!);
    expect(await other.clientOwner(clientId)).toBeUndefined();
    await other.close();
  });

  test('[STORE-19] [STORE-45] the answer to an idempotency key comes back verbatim, and goes after a week', async () => {
    const accountId = await newAccount(store());
    const remembered = () =>
      store().transact(accountId, { ...nothing, idempotencyKeys: ['old', 'young'] }, ({ idempotentReplies }) => ({
        result: idempotentReplies,
      }));
    await write(store(), accountId, () => ({
      idempotentReplies: [idempotentReplyAt('old', '2026-04-01T00:00:00.000Z')],
    }));
    await write(store(), accountId, () => ({
      idempotentReplies: [idempotentReplyAt('young', '2026-04-07T00:00:00.000Z')],
    }));
    const answers = await remembered();
    expect(answers.map(({ key }) => key).toSorted()).toEqual(['old', 'young']);
    const { body } = idempotentReplyAt('', '');
    expect(JSON.stringify(answers[0]!.body)).toBe(JSON.stringify(body));
    await write(store(), accountId, () => ({
      idempotentReplies: [idempotentReplyAt('new', '2026-04-08T00:00:00.001Z')],
      idempotencyDeletedBefore: '2026-04-01T00:00:00.001Z',
    }));
    expect((await remembered()).map(({ key }) => key)).toEqual(['young']);
  });

  test('[MUTATE-20] [MUTATE-34] a sweep removes a batch of old keys, and of the answers to clients that were not seen since', async () => {
    const accounts = [await newAccount(store()), await newAccount(store())].toSorted();
    const [accountId] = accounts as [string, string];
    const listed = await store().accountIds({ limit: 1_000 });
    expect(listed).toEqual(listed.toSorted());
    expect(listed).toEqual(expect.arrayContaining(accounts));
    expect(await store().accountIds({ after: accountId, limit: 1 })).toEqual([listed[listed.indexOf(accountId) + 1]]);
    const [gone, seen] = [randomUUID(), randomUUID()];
    const client = (client_id: string, seen_at: string) =>
      ({
        client_id,
        version: 1,
        last_seq: 2,
        acked_seq: 0,
        device_id: null,
        seen_at,
        chain: '',
        rejectedSeqs: [],
        newRejections: [],
      }) as const;
    const applied = (seq: number) => ({ seq, status: 'applied', digest: 'kept' }) as const;
    await write(store(), accountId, () => ({
      idempotentReplies: ['01', '02', '03', '05'].map((day) => idempotentReplyAt(day, `2026-04-${day}T00:00:00.000Z`)),
      clients: [client(gone, '2026-03-01T00:00:00.000Z'), client(seen, '2026-04-01T00:00:00.000Z')].map((row) => ({
        ...row,
        rejectedSeqs: [],
        newRejections: [],
      })),
      pushAnswers: [gone, seen].flatMap((client_id) => [1, 2].map((seq) => ({ client_id, answers: [applied(seq)] }))),
    }));
    const sweep = () =>
      store().sweepAccount(accountId, {
        idempotencyBefore: '2026-04-04T00:00:00.000Z',
        unseenClientsBefore: '2026-04-01T00:00:00.000Z',
        revokedDevicesBefore: '2026-04-01T00:00:00.000Z',
        revokedCredentialsBefore: '2026-04-01T00:00:00.000Z',
        eventsBefore: '2026-04-01T00:00:00.000Z',
        rowsMax: 2,
      });
    expect([await sweep(), await sweep(), await sweep()]).toEqual([
      { idempotencyKeys: 2, pushAnswers: 2, deviceStatuses: 0, tokens: 0, devices: 0, events: 0, webhookDeliveries: 0 },
      { idempotencyKeys: 1, pushAnswers: 0, deviceStatuses: 0, tokens: 0, devices: 0, events: 0, webhookDeliveries: 0 },
      { idempotencyKeys: 0, pushAnswers: 0, deviceStatuses: 0, tokens: 0, devices: 0, events: 0, webhookDeliveries: 0 },
    ]);
    const answersOf = (clientId: string) => store().pushAnswers(accountId, { clientId, from: 1, to: 2 });
    expect(await answersOf(seen)).toEqual([applied(1), applied(2)]);
    // The results are deleted, but the store still knows that both mutations were applied.
    expect(await answersOf(gone)).toEqual([1, 2].map((seq) => ({ seq, status: 'applied' })));
  });

  test('[STORE-20] whoever listens is poked after each commit, not for what was only read', async () => {
    const accountId = await newAccount(store());
    const pokes: Poke[] = [];
    const stop = store().onCommit((poke) => poke.accountId === accountId && pokes.push(poke));
    await store().transact(accountId, nothing, () => ({ result: undefined }));
    await write(store(), accountId, (next) => ({ maps: [mapDoc(next())] }));
    await write(store(), accountId, (next) => ({ maps: [mapDoc(next())] }));
    expect(pokes).toEqual([
      { accountId, version: 1 },
      { accountId, version: 2 },
    ]);
    stop();
    await write(store(), accountId, (next) => ({ maps: [mapDoc(next())] }));
    expect(pokes).toHaveLength(2);
  });

  test('[STORE-21] several that open a new database at once migrate it once and share its epoch', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const stores = await Promise.all(Array.from({ length: 5 }, () => database.open()));
    const epochs = await Promise.all(stores.map((each) => each.epoch()));
    expect(new Set(epochs).size).toBe(1);
    const accountId = await newAccount(stores[0]!);
    expect(await stores[4]!.account(accountId)).toBeDefined();
    await Promise.all(stores.map((each) => each.close()));
  });
}
