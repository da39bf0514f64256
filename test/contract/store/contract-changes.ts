import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoreUnderTest } from './store-under-test.ts';
import { pullChanges } from './pull-changes.ts';
import { mapDoc, newAccount, runRow, write } from './records.ts';

const kinds = ['map', 'run'] as const;

export function changesStoreContract({ store, open }: StoreUnderTest): void {
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
        const pulled = await pullChanges(store(), accountId, { after: version, limit: 7 });
        seen.push(...pulled.changes.map((change) => String(change.id)));
        version = pulled.version;
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
      const { changes, version } = await pullChanges(store(), accountId, { after: 1, limit });
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
    const onlyMaps = await pullChanges(store(), accountId, { after: 1, kinds: ['map'] });
    expect(onlyMaps).toMatchObject({ changes: [{ id: b.id }, { id: a.id }], version: 7 });
    expect(await pullChanges(store(), accountId, { after: 7 })).toEqual({ changes: [], version: 7 });
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
    const { changes } = await pullChanges(store(), accountId, { limit: 1 }, async () => {
      if (++steps === 1) await remove(0);
    });
    expect(changes.map(({ id, deleted }) => [id, deleted])).toEqual([
      [1, false],
      [3, false],
      [5, false],
      [1, true],
    ]);
    const later = await pullChanges(store(), accountId, { after: 5 });
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
        rejectedSeqs: [],
        newRejections: [{ seq: 4, error }],
      })),
    }));
    const { changes } = await pullChanges(store(), accountId, { clientId: mine, limit: 1 });
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
    expect((await pullChanges(store(), accountId, { clientId: mine, after: 2 })).changes).toEqual([]);
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
