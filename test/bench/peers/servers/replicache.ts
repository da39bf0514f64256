/**
 * The server of Replicache's protocol with a version for each space: https://doc.replicache.dev/strategies/global-version.
 * A push is one transaction, and a pull returns all that was written after the cookie.
 */
import { join } from 'node:path';
import type { Document } from '../work.ts';
import { servePeer } from './http.ts';
import { openRows } from './rows.ts';

interface Push {
  clientGroupID: string;
  mutations: { clientID: string; id: number; args: Document }[];
}

const rows = await openRows(join(process.argv[2] ?? '', 'rows.db'));
rows.exec(
  `CREATE TABLE IF NOT EXISTS clients (client_group TEXT, client TEXT, last_id INTEGER, seq INTEGER,
     PRIMARY KEY (client_group, client)) STRICT, WITHOUT ROWID`,
);

servePeer({
  '/push': ({ query, body }) => {
    const space = query.get('space') ?? '';
    const { clientGroupID, mutations } = JSON.parse(body) as Push;
    rows.commit(() => {
      const lastIds = lastIdsOf(clientGroupID, -1);
      for (const { clientID, id, args } of mutations) {
        const lastId = lastIds.get(clientID) ?? 0;
        if (id <= lastId) continue;
        if (id > lastId + 1) throw new Error(`mutation ${id} is from the future`);
        rows.put(space, args.id, JSON.stringify(args));
        lastIds.set(clientID, id);
      }
      for (const [client, lastId] of lastIds) {
        rows.run(
          'INSERT OR REPLACE INTO clients (client_group, client, last_id, seq) VALUES (?, ?, ?, ?)',
          clientGroupID,
          client,
          lastId,
          rows.lastSeq(space),
        );
      }
    });
    return '{}';
  },
  '/pull': ({ query, body }) => {
    const space = query.get('space') ?? '';
    const { clientGroupID, cookie } = JSON.parse(body) as { clientGroupID: string; cookie: number | null };
    const from = cookie ?? 0;
    const puts = rows
      .since(space, from, -1)
      .map(({ id, doc }) => `{"op":"put","key":${JSON.stringify(id)},"value":${doc}}`);
    const patch = [...(cookie === null ? ['{"op":"clear"}'] : []), ...puts].join(',');
    const lastMutationIDChanges = JSON.stringify(Object.fromEntries(lastIdsOf(clientGroupID, from)));
    return `{"cookie":${rows.lastSeq(space)},"lastMutationIDChanges":${lastMutationIDChanges},"patch":[${patch}]}`;
  },
  '/fill': ({ query, body }) => {
    const documents = JSON.parse(body) as Document[];
    rows.commit(() => {
      for (const document of documents) rows.put(query.get('space') ?? '', document.id, JSON.stringify(document));
    });
    return '{}';
  },
  '/count': ({ query }) => String(rows.count(query.get('space') ?? '')),
});

function lastIdsOf(clientGroup: string, afterSeq: number): Map<string, number> {
  const found = rows.all<{ client: string; last_id: number }>(
    'SELECT client, last_id FROM clients WHERE client_group = ? AND seq > ?',
    clientGroup,
    afterSeq,
  );
  return new Map(found.map(({ client, last_id }) => [client, last_id]));
}
