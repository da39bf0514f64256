/** Tests the queue on a real SQLite store. The tests count the commits by the pokes of the store. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccountQueue, type AccountQueue } from './account-queue.ts';
import { operatorActor } from '../core/caller.ts';
import { createAccount } from '../auth/new-account.ts';
import { parseMutation } from './parse-mutation.ts';
import { pushUnit } from './push-unit.ts';
import { readSetOf } from './working-set/read-set.ts';
import { randomUuid, type World } from '../core/world.ts';
import type { AccountWriter } from './token-check.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { temporaryFolder } from '../../test/contract/fixture.ts';
import type { UnitOfWork } from './unit.ts';

const world: World = { now: Date.now, randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let queue: AccountQueue;
let accountId: string;
let writer: AccountWriter;

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openSqliteStore(folder);
  queue = createAccountQueue(store, world);
  accountId = (await createAccount({ store, world }, { name: 'A', plan: 'free' })).account.id;
  writer = { accountId, tokenHash: null, actor: operatorActor };
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

function createMap(name: string): Mutation {
  const parsed = parseMutation('create_map', { name }, world);
  if (!parsed.ok) throw new Error(parsed.error.detail);
  return parsed.mutation;
}

/** Makes a unit that applies the mutation and returns the version of the new map, or the code of the refusal. */
function unitOf(mutation: Mutation): UnitOfWork<number | string> {
  return {
    readSet: readSetOf([mutation]),
    run(set, now) {
      const affected = set.applyMutation(mutation, { deviceId: null, fingerprint: '', now });
      return affected.ok ? affected.map!.version : affected.error.code;
    },
  };
}

const bug: UnitOfWork<never> = {
  readSet: readSetOf([]),
  run() {
    throw new Error('a bug');
  },
};

function closedGate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => void (open = resolve));
  return { opened, open: () => open() };
}

test('[MUTATE-2] requests that arrive together share a transaction, each with its own answer and versions', async () => {
  let commits = 0;
  store.onCommit(() => void commits++);
  const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => queue.write(writer, unitOf(createMap(name)))));
  expect(answers).toEqual([1, 2, 'map_cap_reached', 'map_cap_reached']);
  expect(commits).toBe(1);
  expect(await store.account(accountId)).toMatchObject({ version: 2, live_maps: 2 });
});

test('[PUSH-8] a push that was applied before, or that brings nothing, writes nothing', async () => {
  let commits = 0;
  store.onCommit(() => void commits++);
  const batch = {
    clientId: randomUuid(world),
    deviceId: null,
    ackedSeq: 0,
    deviceClockBehindMs: 0,
    pushed: [
      {
        seq: 1,
        mutation: createMap('A'),
        fingerprint: '',
        digest: 'a'.repeat(32),
        timedDigest: 't',
        hasEmptyArgs: false,
      },
    ],
  };
  await queue.write(writer, pushUnit(batch));
  const asks = { ok: true, kind: 'needs earlier answers', from: 1, to: 1 };
  expect(await queue.write(writer, pushUnit(batch))).toEqual(asks);
  const repeated = { ...batch, earlierAnswers: { answers: [], to: 1 } };
  expect(await queue.write(writer, pushUnit(repeated))).toMatchObject({ kind: 'answered', answers: [] });
  await queue.write(writer, pushUnit({ ...batch, pushed: [] }));
  expect(commits).toBe(1);
  for (let count = 0; count < 3; count++) await queue.write(writer, pushUnit({ ...repeated, ackedSeq: 1 }));
  expect(commits).toBe(2);
});

test('[MUTATE-3] one request that throws does not take along those of its group', async () => {
  const settled = await Promise.allSettled([
    queue.write(writer, unitOf(createMap('A'))),
    queue.write(writer, bug),
    queue.write(writer, unitOf(createMap('B'))),
  ]);
  expect(settled).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('a bug') },
    { status: 'fulfilled', value: 2 },
  ]);
});

test('[MUTATE-4] accounts do not wait for each other', async () => {
  const other = (await createAccount({ store, world }, { name: 'B', plan: 'free' })).account.id;
  const gate = closedGate();
  const gated: Store = {
    ...store,
    transact: async (account, readSet, decide) => {
      if (account === accountId) await gate.opened;
      return store.transact(account, readSet, decide);
    },
  };
  const gatedQueue = createAccountQueue(gated, world);
  const waiting = gatedQueue.write(writer, unitOf(createMap('A')));
  expect(await gatedQueue.write({ ...writer, accountId: other }, unitOf(createMap('B')))).toBe(1);
  gate.open();
  expect(await waiting).toBe(1);
});

test('[MUTATE-5] when too many wait for an account the next is told to come back', async () => {
  const gate = closedGate();
  const gated: Store = {
    ...store,
    transact: async (account, readSet, decide) => {
      await gate.opened;
      return store.transact(account, readSet, decide);
    },
  };
  const gatedQueue = createAccountQueue(gated, world);
  const mutation = createMap('A');
  const waiting = Array.from({ length: 2_500 }, () => gatedQueue.write(writer, unitOf(mutation)));
  gate.open();
  const settled = await Promise.allSettled(waiting);
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.length).toBe(500);
  for (const reason of refused) expect(reason).toBeInstanceOf(StoreUnavailable);
});
