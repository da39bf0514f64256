/** A page of changes: bounded in their number and, since a record may have megabytes, in their bytes. */
import { assert } from '../../shared/domain/assert.ts';
import type { ClientDoc, RecordChange } from '../../shared/protocol/pull.ts';
import { readRejections } from './client-row.ts';
import { mapDoc, runDoc } from './documents.ts';
import type { ChangesPage, ChangesQuery } from './queries.ts';

/** A changed record as it is read. */
export interface ChangeRow {
  kind: 'map' | 'run' | 'client';
  id: string | number;
  version: number;
  /** JSON text: the map's or run's record, or the client's progress. Null, like `part`, when the run is deleted. */
  record: string | null;
  /** JSON text: the map's stages, the run's steps or the client's rejections. */
  part: string | null;
  /** Of a map alone. */
  created_version: number | null;
  /** The size of all rows before this one. */
  bytes_before: number;
}

/** A page ends with the record that reaches it, so that it holds at least one and at most this and one record. */
export const changesBytesMax = 4 * 1024 * 1024;

/**
 * `found` are the rows of one snapshot in the order of their versions, as far as the page goes and, if there is one, the
 * row behind it.
 */
export function changesPage(
  found: ChangeRow[],
  { limit, accountVersion }: { limit: number; accountVersion: number },
): ChangesPage {
  const changes = found.filter((row, index) => !isBehindPage(row, index, limit)).map(change);
  const hasMore = changes.length < found.length;
  const last = changes.at(-1);
  return { changes, version: hasMore && last ? last.version : accountVersion, accountVersion, hasMore };
}

export function isBehindPage({ bytes_before }: { bytes_before: number }, index: number, limit: number): boolean {
  return index >= limit || bytes_before >= changesBytesMax;
}

/** In one snapshot no run was deleted after this version: who starts at 0 hears of none. */
const never = Number.MAX_SAFE_INTEGER;

export function deletedAfter(query: ChangesQuery): number {
  return query.deletedAfter ?? (query.after === 0 ? never : 0);
}

function change({ kind, id, version, record, part, created_version }: ChangeRow): RecordChange {
  if (record === null || part === null) {
    assert(kind === 'run', 'only a run is gone when it is deleted');
    return { kind, id: Number(id), version, deleted: true };
  }
  const head = { version, deleted: false };
  switch (kind) {
    case 'map':
      assert(created_version !== null, 'a map is listed by the version of its creation');
      return { kind, id: String(id), ...head, doc: mapDoc({ created_version, record, stages: part }) };
    case 'run':
      return { kind, id: Number(id), ...head, doc: runDoc({ record, steps: part })! };
    case 'client': {
      const progress = JSON.parse(record) as Required<Omit<ClientDoc, 'rejections'>>;
      const rejections = readRejections(part, progress.acked_seq);
      return { kind, id: String(id), ...head, doc: { ...progress, rejections } };
    }
  }
}
