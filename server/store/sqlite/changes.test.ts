import { expect, test } from 'vitest';
import { readChanges } from './changes.ts';
import type { Database } from './database.ts';

test('[STORE-56] a page of changes that is full of bytes reads one record more than it holds', () => {
  const record = JSON.stringify({ description: 'x'.repeat(3 * 1024 * 1024) });
  let read = 0;
  function* each() {
    for (; ; read += 1) {
      yield { kind: 'map', id: String(read), version: read + 1, record, part: '[]', created_version: read + 1 };
    }
  }
  const database = { snapshot: (act: () => unknown) => act(), get: () => undefined, each } as unknown as Database;
  const page = readChanges(database, 'account', { after: 0, limit: 500, kinds: ['map', 'run'] });
  expect([page.changes.length, page.hasMore, read + 1]).toEqual([2, true, 3]);
});
