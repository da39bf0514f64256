/** Makes pages of changes. One record may have megabytes, so a page has a limit in bytes, too. */
import { assert } from '../../../shared/domain/assert.ts';
import type { ClientProgress, RecordChange } from '../../../shared/protocol/pull.ts';
import { parseRejections } from './client-row.ts';
import { parseUndeletedRunDoc, parseMapDoc } from './documents.ts';
import type { ChangesPage, ChangesQuery } from '../queries.ts';

/** A changed record as the database returns it to the driver. */
export interface ChangeRow {
  kind: 'map' | 'run' | 'client';
  id: string | number;
  version: number;
  /** JSON text: the record of a map or run, or the progress of a client. null if the run is deleted. */
  record: string | null;
  /** JSON text: the stages of a map, the steps of a run, or the rejections of a client. null if the run is deleted. */
  part: string | null;
  /** null for runs and clients. */
  created_version: number | null;
  /** The total size of the page's rows before this row. */
  bytes_before: number;
}

/** A page ends with the record that brings its size to this limit, so it exceeds the limit by at most one record. */
export const changesBytesMax = 4 * 1024 * 1024;

/**
 * Makes a page from rows of one snapshot of the database, ordered by version. If there is a next page, `found` also has
 * the next page's first row.
 */
export function toChangesPage(
  found: ChangeRow[],
  { limit, accountVersion }: { limit: number; accountVersion: number },
): ChangesPage {
  const changes = found.filter((row, index) => !isAfterPage(row, index, limit)).map(recordChangeOf);
  const hasMore = changes.length < found.length;
  const last = changes.at(-1);
  return { changes, version: hasMore && last ? last.version : accountVersion, accountVersion, hasMore };
}

export function isAfterPage({ bytes_before }: { bytes_before: number }, index: number, limit: number): boolean {
  return index >= limit || bytes_before >= changesBytesMax;
}

/**
 * The default `deletedAfter` of a full pull. No version is higher, so the pull leaves out all deleted runs. The device
 * needs none of them, since the pull replaces all its records.
 */
const versionAboveAll = Number.MAX_SAFE_INTEGER;

export function deletedAfterOrDefault(query: ChangesQuery): number {
  return query.deletedAfter ?? (query.after === 0 ? versionAboveAll : 0);
}

function recordChangeOf({ kind, id, version, record, part, created_version }: ChangeRow): RecordChange {
  if (record === null || part === null) {
    assert(kind === 'run', 'only a deleted run has no record');
    return { kind, id: Number(id), version, deleted: true };
  }
  const head = { version, deleted: false };
  switch (kind) {
    case 'map':
      assert(created_version !== null, 'a map has the version of its creation');
      return { kind, id: String(id), ...head, doc: parseMapDoc({ created_version, record, stages: part }) };
    case 'run':
      return { kind, id: Number(id), ...head, doc: parseUndeletedRunDoc({ record, steps: part }) };
    case 'client': {
      const progress: Required<Omit<ClientProgress, 'rejections'>> = JSON.parse(record);
      const rejections = parseRejections(part, progress.acked_seq);
      return { kind, id: String(id), ...head, doc: { ...progress, rejections } };
    }
  }
}
