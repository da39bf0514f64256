import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { ClientProgress } from '../../../shared/protocol/pull.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { newAccount, nothing, write } from './records.ts';
import { pullChanges } from './pull-changes.ts';

export function answerStoreContract({ store, newDatabase }: StoreUnderTest): void {
  test('[STORE-38] [STORE-47] a rejection is written once: who adds to those that are kept loads and writes their numbers alone', async () => {
    const accountId = await newAccount(store());
    const [client_id, other] = [randomUUID(), randomUUID()];
    const rejection = (seq: number) => {
      const detail = `${seq}: \u0000\ud800"\\u0000`;
      return { seq, error: { type: '/docs#id_taken', title: 't', status: 409, detail, code: 'id_taken' as const } };
    };
    /** Saves a push that acknowledges answers and adds new ones. */
    const save = (acked_seq: number, last_seq: number, added: number[]) =>
      write(
        store(),
        accountId,
        (next, { clients }) => {
          const stored = clients.find((client) => client.client_id === client_id)?.rejectedSeqs ?? [];
          return {
            clients: [
              {
                client_id,
                version: next(),
                last_seq,
                acked_seq,
                device_id: null,
                seen_at: null,
                chain: '',
                rejectedSeqs: stored.filter((seq) => seq > acked_seq),
                newRejections: added.map(rejection),
              },
            ],
          };
        },
        { clientIds: [client_id] },
      );
    const loaded = () =>
      store().transact(accountId, { ...nothing, clientIds: [client_id] }, ({ clients }) => ({ result: clients }));
    const pulled = async () => {
      const { changes } = await pullChanges(store(), accountId, { clientId: client_id, kinds: ['map'] });
      return (changes[0]!.doc as ClientProgress).rejections;
    };
    await write(store(), accountId, (next) => ({
      clients: [
        {
          client_id: other,
          version: next(),
          last_seq: 9,
          acked_seq: 0,
          device_id: null,
          seen_at: null,
          chain: '',
          rejectedSeqs: [],
          newRejections: [rejection(9)],
        },
      ],
    }));
    await save(0, 12, [10, 2]);
    const [client] = await loaded();
    expect(client).toMatchObject({ client_id, last_seq: 12, acked_seq: 0 });
    expect(client!.rejectedSeqs.toSorted((a, b) => a - b)).toEqual([2, 10]);
    expect(client!.newRejections).toEqual([]);
    await save(0, 13, [13]);
    expect(await pulled()).toEqual([rejection(2), rejection(10), rejection(13)]);
    await save(10, 14, []);
    expect(await pulled()).toEqual([rejection(13)]);
    await save(14, 14, []);
    expect(await pulled()).toEqual([]);
    const theirs = await pullChanges(store(), accountId, { clientId: other });
    expect(theirs.changes).toMatchObject([{ id: other, doc: { last_seq: 9, rejections: [rejection(9)] } }]);
  });

  test('[STORE-16] the answers to a push are remembered until its client acknowledges them', async () => {
    const accountId = await newAccount(store());
    const client_id = randomUUID();
    const error = { type: 't', title: 't', status: 422, detail: '\u0000\udfff', code: 'validation_failed' as const };
    const answers = (from: number, to: number): MutationAnswer[] =>
      Array.from({ length: to - from + 1 }, (_, index) => ({ seq: from + index, status: 'rejected', error }));
    const push = (from: number, to: number, acked_seq: number) =>
      write(store(), accountId, (next) => ({
        clients: [
          {
            client_id,
            version: next(),
            last_seq: to,
            acked_seq,
            device_id: null,
            seen_at: null,
            chain: '',
            rejectedSeqs: [],
            newRejections: answers(from, to).map(({ seq }) => ({ seq, error })),
          },
        ],
        pushAnswers: [{ client_id, answers: answers(from, to) }],
      }));
    const remembered = async (from: number, to: number) =>
      (await store().pushAnswers(accountId, { clientId: client_id, from, to })).map(({ seq }) => seq);
    await push(1, 3, 0);
    await push(4, 6, 0);
    expect(await remembered(1, 100)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await remembered(2, 4)).toEqual([2, 3, 4]);
    expect(await store().pushAnswers(accountId, { clientId: client_id, from: 3, to: 3 })).toEqual(answers(3, 3));
    await push(7, 7, 3);
    expect(await remembered(1, 3)).toEqual([]);
    expect(await remembered(4, 7)).toEqual([4, 5, 6, 7]);
    await write(store(), accountId, (next) => ({
      clients: [
        {
          client_id,
          version: next(),
          last_seq: 7,
          acked_seq: 7,
          device_id: null,
          seen_at: null,
          chain: '',
          rejectedSeqs: [],
          newRejections: [],
        },
      ],
    }));
    expect(await remembered(1, 100)).toEqual([]);
  });

  test('[STORE-62] an account that was restored keeps its applied mutations, the oldest only until a write removes them', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const opened = await database.open();
    onTestFinished(() => opened.close());
    const accountId = await newAccount(opened);
    const [first, second] = [randomUUID(), randomUUID()];
    const save = (applied: { digest: string; client_id: string }[], keptVersions?: number) =>
      write(opened, accountId, (next) => {
        const appliedMutations = applied.map((one) => ({
          ...one,
          version: next(),
          result: { id: `\u0000 of ${one.digest}` },
        }));
        if (keptVersions === undefined) return { appliedMutations };
        return { appliedMutations, appliedMutationsDeletedUpTo: appliedMutations.at(-1)!.version - keptVersions };
      });
    const stored = (digests: string[]) =>
      opened.transact(accountId, { ...nothing, mutationDigests: digests }, ({ account, appliedMutations }) => ({
        result: appliedMutations
          .map(({ version, ...rest }) => ({ ...rest, age: account.version - version }))
          .toSorted((a, b) => (a.digest < b.digest ? -1 : 1)),
      }));
    const was = await opened.account(accountId);
    expect(was).toMatchObject({ was_restored: false });
    await opened.renewEpoch();
    expect(await opened.account(accountId)).toMatchObject({ was_restored: true });
    await save([
      { digest: 'a', client_id: first },
      { digest: 'b', client_id: first },
    ]);
    await save([{ digest: 'b', client_id: second }]);
    const row = (digest: string, client_id: string, age: number) => ({
      digest,
      client_id,
      age,
      result: { id: `\u0000 of ${digest}` },
    });
    expect(await stored(['a', 'b', 'c'])).toEqual([row('a', first, 2), row('b', second, 0)]);
    expect(await stored(['c'])).toEqual([]);

    // A second restore raises the account's version by far.
    await opened.renewEpoch();
    expect(await stored(['a', 'b'])).toEqual([row('a', first, 2), row('b', second, 0)]);
    await save([{ digest: 'c', client_id: first }], 2);
    expect(await stored(['a', 'b', 'c'])).toEqual([row('b', second, 1), row('c', first, 0)]);
  });

  test('[STORE-64] with a new epoch each account goes on at ids that it never gave, and keeps half of its last ones', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const opened = await database.open();
    onTestFinished(() => opened.close());
    const nextIds = [2 ** 30, ...[3_000_000, 1_999_999, 11, 2, 1, 0].map((left) => deviceMadeIdMin - left)];
    const accountIds: string[] = [];
    for (const next_id of [1, ...nextIds]) {
      const accountId = await newAccount(opened);
      await write(opened, accountId, () => ({ next_id }));
      accountIds.push(accountId);
    }
    const secsSince2026 = (Date.now() - Date.parse('2026-01-01T00:00:00Z')) / 1_000;
    await opened.renewEpoch();
    const [first, ...others] = await Promise.all(accountIds.map(async (id) => (await opened.account(id))!.next_id));
    expect(first).toBeGreaterThan(Math.max(1_000_000, secsSince2026 - 60));
    expect(others.map((nextId, index) => nextId - nextIds[index]!)).toEqual([
      1_000_000, 1_000_000, 1_000_000, 6, 1, 1, 0,
    ]);
  });
}
