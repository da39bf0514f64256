import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ClientDoc, RecordChange } from '../../../shared/protocol/pull.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import type { ChangesQuery } from '../../../server/store/queries.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { mapDoc, newAccount, nothing, runRow, write } from './records.ts';

const kinds = ['map', 'run'] as const;

/** Pulls as `GET /sync/pull` does, from `after` to the first page without more. */
async function walk(store: Store, accountId: string, query: Partial<ChangesQuery>, between?: () => Promise<unknown>) {
  const changes: RecordChange[] = [];
  let deletedAfter = query.deletedAfter;
  for (let after = query.after ?? 0; ; await between?.()) {
    const page = await store.changes(accountId, {
      limit: 500,
      kinds,
      ...query,
      after,
      ...(deletedAfter === undefined ? {} : { deletedAfter }),
    });
    if (query.after === undefined || query.after === 0) deletedAfter ??= page.accountVersion;
    changes.push(...page.changes);
    after = page.version;
    if (!page.hasMore) return { changes, version: after };
  }
}

export function changesPromises({ store, open }: StoreUnderTest): void {
  test('[STORE-12] no committed change is skipped by a reader beside 8 writers', async () => {
    const accountId = await newAccount(store());
    const other = await open();
    const expected = new Set<string>();
    let writing = true;
    const writer = async (index: number) => {
      for (let i = 0; i < 25; i++) {
        const id = randomUUID();
        expected.add(id);
        await write(index % 2 ? other : store(), accountId, (next) => ({ maps: [mapDoc(next(), { id })] }));
      }
    };
    const seen: string[] = [];
    const reader = async () => {
      let version = 0;
      for (let last = false; !last;) {
        last = !writing;
        const walked = await walk(store(), accountId, { after: version, limit: 7 });
        seen.push(...walked.changes.map((change) => String(change.id)));
        version = walked.version;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, (_, index) => writer(index)));
    await Promise.all([reader(), writers.then(() => (writing = false))]);
    await other.close();
    expect(seen).toHaveLength(expected.size);
    expect(new Set(seen)).toEqual(expected);
  });

  test('[STORE-13] each record comes once, at its latest, in the order of versions, whatever the page size', async () => {
    const accountId = await newAccount(store());
    const [a, b] = [mapDoc(0), mapDoc(0, { deleted: true })];
    await write(store(), accountId, (next) => ({ maps: [a, b].map((map) => ({ ...map, version: next() })) }));
    const runs = [1, 2, 3].map((number) => runRow(0, { mapId: a.id, number }));
    await write(store(), accountId, (next) => ({ runs: runs.map((row) => ({ ...row, version: next() })) }));
    await write(store(), accountId, (next) => ({ maps: [{ ...a, version: next(), name: 'Again' }] }));
    await write(store(), accountId, (next) => ({ runs: [{ ...runs[1]!, version: next(), doc: null }] }));

    for (const limit of [1, 2, 3, 500]) {
      const { changes, version } = await walk(store(), accountId, { after: 1, limit });
      expect(version).toBe(7);
      expect(changes.map((change) => [change.kind, change.id, change.version, change.deleted])).toEqual([
        ['map', b.id, 2, false],
        ['run', 1, 3, false],
        ['run', 3, 5, false],
        ['map', a.id, 6, false],
        ['run', 2, 7, true],
      ]);
      expect(changes[0]!.doc).toEqual({ ...b, version: 2, created_version: 2 });
      expect(changes[3]!.doc).toMatchObject({ name: 'Again', stages: a.stages });
      expect(changes[1]!.doc).toMatchObject(runs[0]!.doc!.steps ? { steps: runs[0]!.doc!.steps } : {});
      expect(changes[4]).not.toHaveProperty('doc');
    }
    const onlyMaps = await walk(store(), accountId, { after: 1, kinds: ['map'] });
    expect(onlyMaps).toMatchObject({ changes: [{ id: b.id }, { id: a.id }], version: 7 });
    expect(await walk(store(), accountId, { after: 7 })).toEqual({ changes: [], version: 7 });
  });

  test('[STORE-14] a walk from nothing brings only what exists, and what is deleted while it goes on', async () => {
    const accountId = await newAccount(store());
    const mapId = randomUUID();
    const rows = [1, 2, 3, 4, 5].map((number) => runRow(0, { mapId, number }));
    await write(store(), accountId, (next) => ({ runs: rows.map((row) => ({ ...row, version: next() })) }));
    const remove = (index: number) =>
      write(store(), accountId, (next) => ({ runs: [{ ...rows[index]!, version: next(), doc: null }] }));
    await remove(1);
    await remove(3);
    let steps = 0;
    const { changes } = await walk(store(), accountId, { limit: 1 }, async () => {
      if (++steps === 1) await remove(0);
    });
    expect(changes.map(({ id, deleted }) => [id, deleted])).toEqual([
      [1, false],
      [3, false],
      [5, false],
      [1, true],
    ]);
    const later = await walk(store(), accountId, { after: 5 });
    expect(later.changes.map(({ id }) => id)).toEqual([2, 4, 1]);
  });

  test("[STORE-15] a client's own record travels in the same stream as the effects of its mutations", async () => {
    const accountId = await newAccount(store());
    const [mine, other] = [randomUUID(), randomUUID()];
    // A refusal may quote characters that no record may hold.
    const detail = 'unknown field \u0000\ud800"\\u0000';
    const error = { type: '/docs#id_taken', title: 't', status: 409, detail, code: 'id_taken' as const };
    await write(store(), accountId, (next) => ({
      maps: [mapDoc(next())],
      clients: [mine, other].map((client_id) => ({
        client_id,
        version: next(),
        last_seq: 2 ** 53 - 1,
        acked_seq: 3,
        device_id: null,
        seen_at: null,
        chain: 'c0ffee',
        rejections: [{ seq: 4, error }],
      })),
    }));
    const { changes } = await walk(store(), accountId, { clientId: mine, limit: 1 });
    expect(changes).toEqual([
      expect.objectContaining({ kind: 'map' }),
      {
        kind: 'client',
        id: mine,
        version: 2,
        deleted: false,
        doc: { last_seq: 2 ** 53 - 1, acked_seq: 3, chain: 'c0ffee', rejections: [{ seq: 4, error }] },
      },
    ]);
    expect((await walk(store(), accountId, { clientId: mine, after: 2 })).changes).toEqual([]);
  });

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
          const kept = clients.find((client) => client.client_id === client_id)?.rejections ?? [];
          const rejections = [...kept.filter(({ seq }) => seq > acked_seq), ...added.map(rejection)];
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
                rejections,
              },
            ],
          };
        },
        { clientIds: [client_id] },
      );
    const loaded = () =>
      store().transact(accountId, { ...nothing, clientIds: [client_id] }, ({ clients }) => ({ result: clients }));
    const pulled = async () => {
      const { changes } = await walk(store(), accountId, { clientId: client_id, kinds: ['map'] });
      return (changes[0]!.doc as ClientDoc).rejections;
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
          rejections: [rejection(9)],
        },
      ],
    }));
    await save(0, 12, [10, 2]);
    const [client] = await loaded();
    expect(client).toMatchObject({ client_id, last_seq: 12, acked_seq: 0 });
    expect(client!.rejections.toSorted((a, b) => a.seq - b.seq)).toEqual([{ seq: 2 }, { seq: 10 }]);
    await save(0, 13, [13]);
    expect(await pulled()).toEqual([rejection(2), rejection(10), rejection(13)]);
    await save(10, 14, []);
    expect(await pulled()).toEqual([rejection(13)]);
    await save(14, 14, []);
    expect(await pulled()).toEqual([]);
    const theirs = await walk(store(), accountId, { clientId: other });
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
            rejections: answers(from, to).map(({ seq }) => ({ seq, error })),
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
          rejections: [],
        },
      ],
    }));
    expect(await remembered(1, 100)).toEqual([]);
  });

  test('[STORE-35] a page of changes ends when its records have 4 MiB, with one at least', async () => {
    const accountId = await newAccount(store());
    const description = (megabytes: number) => 'x'.repeat(megabytes * 1024 * 1024);
    // This character is three bytes in UTF-8 and one unit in JavaScript.
    const wide = mapDoc(0, { description: '漢'.repeat(1.4 * 1024 * 1024) });
    const sized = [1, 2, 2, 5, 6, 0.1].map((megabytes) => mapDoc(0, { description: description(megabytes) }));
    const maps = [...sized, wide, mapDoc(0)];
    for (const map of maps) await write(store(), accountId, (next) => ({ maps: [{ ...map, version: next() }] }));
    const pages: number[] = [];
    let after = 0;
    for (let more = true; more;) {
      const page = await store().changes(accountId, { after, limit: 500, kinds });
      expect(page.changes.map(({ id }) => id)).toEqual(maps.slice(after, page.version).map(({ id }) => id));
      pages.push(page.changes.length);
      after = page.version;
      more = page.hasMore;
    }
    expect(pages).toEqual([3, 1, 1, 2, 1]);
  });
}
