/**
 * The server of RxDB's replication protocol: https://rxdb.info/replication.html. A push is refused where the stored
 * document is not the assumed one; a pull walks by the number of the last write.
 */
import { join } from 'node:path';
import type { Document } from '../work.ts';
import { servePeer } from './http.ts';
import { openRows } from './rows.ts';

interface PushedRow {
  newDocumentState: Document;
  assumedMasterState?: Document;
}

const rows = await openRows(join(process.argv[2] ?? '', 'rows.db'));

servePeer({
  '/push': ({ query, body }) => {
    const space = query.get('space') ?? '';
    const pushed = JSON.parse(body) as PushedRow[];
    const conflicts = rows.commit(() =>
      pushed.flatMap(({ newDocumentState, assumedMasterState }) => {
        const stored = rows.get(space, newDocumentState.id);
        const isAssumed = stored === (assumedMasterState ? JSON.stringify(assumedMasterState) : undefined);
        if (!isAssumed && stored !== undefined) return [stored];
        rows.put(space, newDocumentState.id, JSON.stringify(newDocumentState));
        return [];
      }),
    );
    return `[${conflicts.join(',')}]`;
  },
  '/pull': ({ query }) => {
    const seq = Number(query.get('seq'));
    const found = rows.since(query.get('space') ?? '', seq, Number(query.get('limit')));
    const checkpoint = { seq: found.at(-1)?.seq ?? seq };
    return `{"documents":[${found.map(({ doc }) => doc).join(',')}],"checkpoint":${JSON.stringify(checkpoint)}}`;
  },
  '/fill': ({ query, body }) => {
    const space = query.get('space') ?? '';
    const documents = JSON.parse(body) as Document[];
    rows.commit(() => {
      for (const document of documents) rows.put(space, document.id, JSON.stringify({ ...document, _deleted: false }));
    });
    return '{}';
  },
  '/count': ({ query }) => String(rows.count(query.get('space') ?? '')),
});
