/** What changed after a version, by one statement and so from one snapshot. Each branch walks its index by version. */
import type { ClientDoc, RecordChange } from '../../../shared/protocol/pull.ts';
import { changesPage, deletedAfter } from '../changes-page.ts';
import type { ChangesPage, ChangesQuery } from '../store.ts';
import type { Connections, Statement } from './connections.ts';
import { mapDoc, runDoc, type MapColumns, type RunColumns } from './documents.ts';

export async function readChanges(
  connections: Connections,
  accountId: string,
  query: ChangesQuery,
): Promise<ChangesPage> {
  const rows = await connections.query<ChangeRow>(selectChanges, [
    accountId,
    query.after,
    query.limit + 1,
    query.kinds.includes('map'),
    query.kinds.includes('run'),
    deletedAfter(query),
    query.clientId,
  ]);
  const changes = rows.filter((row) => row.kind !== null).map(change);
  return changesPage(changes, query.limit, rows[0]?.account_version ?? 0);
}

/**
 * The account's row comes along with each change, or alone, with a `kind` of null. `part` is the map's stages, the run's
 * steps or the client's rejections, which are JSON in text. Unnamed, so that it is planned for the page at hand.
 */
const selectChanges: Statement = {
  text: `
    SELECT account.version AS account_version, change.*
      FROM accounts AS account
      LEFT JOIN LATERAL (
        (SELECT 'map' AS kind, id::text, version, record, stages AS part
           FROM maps WHERE account_id = $1 AND version > $2 AND $4
          ORDER BY version LIMIT $3)
        UNION ALL
        (SELECT 'run', id::text, version, record, steps
           FROM runs WHERE account_id = $1 AND version > $2 AND $5 AND (record IS NOT NULL OR version > $6)
          ORDER BY version LIMIT $3)
        UNION ALL
        (SELECT 'client', client_id::text, version, jsonb_build_object('last_seq', last_seq), to_jsonb(rejections)
           FROM sync_clients WHERE account_id = $1 AND client_id = $7::uuid AND version > $2)
        ORDER BY version LIMIT $3
      ) AS change ON true
     WHERE account.account_id = $1
     ORDER BY change.version`,
};

type ChangeRow = { account_version: number; id: string; version: number } & (
  | ({ kind: 'map' } & { record: MapColumns['record']; part: MapColumns['stages'] })
  | ({ kind: 'run' } & { record: RunColumns['record']; part: RunColumns['steps'] })
  | { kind: 'client'; record: Pick<ClientDoc, 'last_seq'>; part: string }
);

function change({ id, version, ...row }: ChangeRow): RecordChange {
  switch (row.kind) {
    case 'map':
      return { kind: 'map', id, version, deleted: false, doc: mapDoc({ record: row.record, stages: row.part }) };
    case 'run': {
      const doc = runDoc({ record: row.record, steps: row.part });
      return { kind: 'run', id: Number(id), version, deleted: doc === null, ...(doc ? { doc } : {}) };
    }
    case 'client':
      return { kind: 'client', id, version, deleted: false, doc: { ...row.record, rejections: JSON.parse(row.part) } };
  }
}
