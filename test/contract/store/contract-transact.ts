import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { NewTokenRow } from '../../../server/store/credentials/credentials.ts';
import type { LoadedRows, ReadSet } from '../../../server/store/transaction.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { instant, mapDoc, newAccount, nothing, runRow, tokenRow, write } from './records.ts';

export function transactStoreContract({ store, open, newDatabase }: StoreUnderTest): void {
  const loaded = (accountId: string, readSet: Partial<ReadSet>): Promise<LoadedRows> =>
    store().transact(accountId, { ...nothing, ...readSet }, (result) => ({ result }));

  test('[STORE-1] concurrent writers of one account take every version once, in two processes too', async () => {
    const accountId = await newAccount(store());
    const other = await open();
    const writer = async (index: number) => {
      const versions: number[] = [];
      for (let i = 0; i < 20; i++) {
        const through = index % 2 ? other : store();
        versions.push(await write(through, accountId, (next) => ({ maps: [mapDoc(next())] })));
      }
      return versions;
    };
    const versions = (await Promise.all(Array.from({ length: 8 }, (_, index) => writer(index)))).flat();
    await other.close();
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
    expect(await store().account(accountId)).toMatchObject({ version: 160 });
  });

  test('[STORE-2] a decision that throws writes nothing, and those that run beside it are committed', async () => {
    const accountId = await newAccount(store());
    const oops = new Error('oops');
    const attempts = Array.from({ length: 6 }, (_, index) =>
      write(store(), accountId, (next) => {
        const map = mapDoc(next());
        if (index % 2) throw oops;
        return { maps: [map] };
      }),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map((_, i) => (i % 2 ? 'rejected' : 'fulfilled')));
    expect(outcomes[1]).toMatchObject({ reason: oops });
    expect(await store().account(accountId)).toMatchObject({ version: 3 });
    expect((await store().maps(accountId, { deleted: false, limit: 10 })).rows).toHaveLength(3);
  });

  test('[STORE-2] writes that the schema refuses are undone as a whole', async () => {
    const accountId = await newAccount(store());
    const map = mapDoc(1);
    const twice = write(store(), accountId, (next) => ({
      maps: [{ ...map, version: next() }],
      runs: [1, 1].map((number, id) => runRow(next(), { mapId: map.id, number, id: id + 1 })),
    }));
    await expect(twice).rejects.toThrow(/unique/i);
    expect(await store().account(accountId)).toMatchObject({ version: 0 });
    expect(await store().map(accountId, map.id)).toBeUndefined();
  });

  test('[STORE-41] the only account is known until there is another', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const empty = await database.open();
    expect(await empty.onlyAccountId()).toBeUndefined();
    const accountId = await newAccount(empty);
    expect(await empty.onlyAccountId()).toBe(accountId);
    await newAccount(empty);
    expect(await empty.onlyAccountId()).toBeUndefined();
    await empty.close();
  });

  test('[STORE-3] [STORE-42] what was committed, and the epoch, are there when the store is opened again', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const before = await database.open();
    expect(await before.isEmpty()).toBe(true);
    const accountId = await newAccount(before);
    const map = mapDoc(1);
    // The write is not awaited: closing the store must finish it.
    const written = write(before, accountId, (next) => ({ maps: [{ ...map, version: next() }] }));
    const epoch = await before.epoch();
    await before.close();
    await written;

    const after = await database.open();
    expect(await after.epoch()).toBe(epoch);
    expect(await after.isEmpty()).toBe(false);
    expect(await after.map(accountId, map.id)).toEqual(map);
    const renewed = await after.renewEpoch();
    expect(renewed).not.toBe(epoch);
    expect(await after.epoch()).toBe(renewed);
    await after.close();
  });

  test('[BACKUP-8] with a new epoch each account goes on at versions that it never had', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const opened = await database.open();
    const accountId = await newAccount(opened);
    const versionNow = async () => (await opened.account(accountId))!.version;
    // A restore may take this many versions away.
    let neverAbove = 1_000_000_000;
    for (let count = 0; count < 2; count++) {
      await opened.renewEpoch();
      expect(await versionNow()).toBeGreaterThan(neverAbove);
      neverAbove = await versionNow();
    }
    const map = mapDoc(1);
    await write(opened, accountId, (next) => ({ maps: [{ ...map, version: next() }] }));
    const { changes } = await opened.changes(accountId, { after: neverAbove, limit: 10, kinds: ['map'] });
    expect(changes).toMatchObject([{ id: map.id, version: neverAbove + 1 }]);
    await opened.close();
  });

  test('[STORE-4] a transaction loads all that it wants and nothing else', async () => {
    const accountId = await newAccount(store());
    const [map, other] = [mapDoc(1), mapDoc(2)];
    const client = {
      client_id: randomUUID(),
      last_seq: 5,
      acked_seq: 2,
      device_id: null,
      seen_at: null,
      chain: '',
      rejectedSeqs: [],
      newRejections: [],
    };
    const run = runRow(3, { mapId: map.id, number: 1, made_map: true });
    const bystander = runRow(4, { mapId: map.id, number: 2 });
    const answer = {
      key: 'k',
      fingerprint: 'f',
      status: 201,
      headers: { etag: '"1"' },
      body: { b: 1, a: [2] },
      keys_before: 0,
      bytes_before: 0,
    };
    const [token, revoked] = [randomUUID(), randomUUID()].map(tokenRow(accountId)) as [NewTokenRow, NewTokenRow];
    for (const row of [token, { ...revoked, revoked_at: instant }]) await store().createToken(row);
    await write(store(), accountId, (next) => ({
      maps: [map, other].map((doc) => ({ ...doc, version: next() })),
      runs: [run, bystander].map((row) => ({ ...row, version: next() })),
      clients: [{ ...client, version: next() }],
      takenStageIds: [{ map_id: map.id, id: 7 }],
      idempotentReplies: [{ ...answer, created_at: instant }],
    }));
    expect(await loaded(accountId, {})).toMatchObject({
      maps: [],
      runs: [],
      runsWithSteps: [],
      takenStageIds: [],
      clients: [],
    });
    const readSet: ReadSet = {
      mapIds: [map.id, randomUUID()],
      runIds: [run.id],
      runIdsToChange: [],
      runIdsToDelete: [],
      recordingSessionIds: [run.recording_session_id, 'unknown'],
      deviceMadeStageIds: [
        { map_id: map.id, id: 7 },
        { map_id: map.id, id: 8 },
        { map_id: other.id, id: 7 },
      ],
      clientIds: [client.client_id],
      mutationDigests: ['d'],
      idempotencyKeys: ['k', 'unknown'],
      tokenHashes: [revoked.token_hash, token.token_hash, 'unknown'],
    };
    const position = { keys_before: 0, bytes_before: 0, created_at: instant };
    expect(await loaded(accountId, readSet)).toEqual({
      account: expect.objectContaining({ id: accountId, version: 5 }),
      maps: [map],
      runs: [],
      runsWithSteps: [run],
      takenStageIds: [{ map_id: map.id, id: 7 }],
      clients: [{ ...client, version: 5 }],
      appliedMutations: [],
      idempotentReplies: [{ ...answer, created_at: instant }],
      idempotencySpan: { oldest: position, newest: position },
      clientCounts: [],
      rejectionCounts: [],
      revokedTokens: [revoked.token_hash],
    });
  });

  test('[STORE-5] [STORE-43] runs to be deleted bring their maps and the newest runs that remain', async () => {
    const accountId = await newAccount(store());
    const [map, other] = [mapDoc(0), mapDoc(0)];
    const gone = { doc: null };
    await write(store(), accountId, (next) => ({
      maps: [map, other].map((doc) => ({ ...doc, version: next() })),
      runs: [
        ...[1, 2, 3, 4, 5, 6].map((number) => runRow(next(), { mapId: map.id, number, ...(number === 5 ? gone : {}) })),
        runRow(next(), { mapId: other.id, number: 1, id: 100 }),
      ],
    }));
    const { runs, maps } = await loaded(accountId, { runIdsToDelete: [1, 6] });
    expect(runs.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1, 3, 4, 6]);
    expect(runs.filter(({ doc }) => !doc || 'steps' in doc)).toEqual([]);
    const recordingSessionIds = runs.filter(({ id }) => id > 3).map((run) => run.recording_session_id);
    const again = await loaded(accountId, { runIdsToDelete: [1, 6], runIds: [5], recordingSessionIds });
    const docs = again.runs.map(({ id, doc }): [number, boolean] => [id, doc !== null && !('steps' in doc)]);
    expect(docs.toSorted(([a], [b]) => a - b)).toEqual([
      [1, true],
      [3, true],
      [5, false],
    ]);
    const steps = again.runsWithSteps.map(({ id, doc }) => [id, doc?.steps.length]);
    expect(steps.toSorted()).toEqual([
      [4, 1],
      [6, 1],
    ]);
    expect(maps.map(({ id }) => id)).toEqual([map.id]);
    expect(await loaded(accountId, { runIdsToDelete: [999] })).toMatchObject({ runs: [], maps: [] });
  });

  test('[STORE-6] a recording session, a run id and a run number are used once, also after the run is deleted', async () => {
    const accountId = await newAccount(store());
    const mapId = randomUUID();
    const session = 'session:1';
    const upload = () =>
      write(
        store(),
        accountId,
        (next, { runsWithSteps }) =>
          runsWithSteps.length > 0
            ? {}
            : { runs: [runRow(next(), { mapId, number: 1, recording_session_id: session })] },
        { recordingSessionIds: [session] },
      );
    await Promise.all([upload(), upload(), upload()]);
    expect(await store().account(accountId)).toMatchObject({ version: 1 });
    await write(
      store(),
      accountId,
      (next, { runs }) => ({ runs: runs.map((row) => ({ ...row, version: next(), doc: null })) }),
      { runIdsToDelete: [1] },
    );
    expect(await store().run(accountId, 1)).toBeUndefined();
    const { runsWithSteps } = await loaded(accountId, { recordingSessionIds: [session] });
    expect(runsWithSteps).toMatchObject([{ id: 1, number: 1, recording_session_id: session, doc: null, version: 2 }]);
    const again = (fields: object) =>
      write(store(), accountId, (next) => ({ runs: [runRow(next(), { mapId, number: 2, id: 2, ...fields })] }));
    await expect(again({ recording_session_id: session })).rejects.toThrow(/unique/i);
    await expect(again({ number: 1 })).rejects.toThrow(/unique/i);
    await expect(again({})).resolves.toBe(3);
  });
}
