/** Reads the selected runs from one snapshot, and writes them into a spool before the client gets the first byte. */
import { exportInPieces, exportFacts, type ExportFormat, type ExportOptions } from '../../shared/export/formats.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { randomUuid, type World } from '../core/world.ts';
import type { RunSnapshot } from '../store/snapshot/run-snapshot.ts';
import { SnapshotExpired, snapshotMsMax } from '../store/snapshot/snapshot-timeout.ts';
import type { Store } from '../store/store.ts';
import { loadRuns } from './load-runs.ts';
import { selectRuns, type RunSelection } from './select-runs.ts';
import { writeSpool, type Spool } from './spool.ts';

interface ExportRequest {
  format: ExportFormat;
  selection: RunSelection;
  options: ExportOptions;
  /** True once nobody waits for the export any longer. */
  isAbandoned(): boolean;
  limits?: ExportLimits;
}

interface ExportLimits {
  snapshotMsMax: number;
  fileBytesMax: number;
}

/** The limit of a file exceeds the limit of its runs, since XML writes some characters as several bytes. */
const exportLimitsDefault: ExportLimits = { snapshotMsMax, fileBytesMax: 1024 * 1024 * 1024 };

/** Resolves to undefined if the export was abandoned. */
export async function exportRuns(
  { store, world }: { store: Store; world: World },
  accountId: string,
  { format, selection, options, isAbandoned, limits = exportLimitsDefault }: ExportRequest,
): Promise<{ ok: true; spool: Spool } | RefusedRequest | undefined> {
  let spool: Spool | undefined;
  const write = async (snapshot: RunSnapshot) => {
    const selected = await selectRuns(snapshot, selection, exportFacts[format]);
    if (!selected.ok || isAbandoned()) return selected.ok ? undefined : selected;
    const pieces = exportInPieces(format, () => loadRuns(snapshot, selected.runs), options);
    const { fileBytesMax } = limits;
    spool = await writeSpool(untilAbandoned(pieces, isAbandoned), {
      uniqueName: randomUuid(world),
      bytesMax: fileBytesMax,
    });
    if (!spool) return fileTooLargeRefusal(fileBytesMax);
    if (!isAbandoned()) return { ok: true as const, spool };
    await spool.close();
    return undefined;
  };
  try {
    return await withSnapshotInTime(store, accountId, write, limits.snapshotMsMax);
  } catch (error) {
    // Ending the snapshot may fail after the file was written.
    await spool?.close();
    throw error;
  }
}

/** Returns the refusal that the export would get, and writes no file. */
export async function exportRefusal(
  store: Store,
  accountId: string,
  { format, selection }: Pick<ExportRequest, 'format' | 'selection'>,
): Promise<RefusedRequest | undefined> {
  const select = (snapshot: RunSnapshot) => selectRuns(snapshot, selection, exportFacts[format]);
  const selected = await withSnapshotInTime(store, accountId, select, exportLimitsDefault.snapshotMsMax);
  return selected.ok ? undefined : selected;
}

/** Runs `work` with a snapshot. Refuses the export if `work` takes longer than `msMax`. */
async function withSnapshotInTime<Result>(
  store: Store,
  accountId: string,
  work: (snapshot: RunSnapshot) => Promise<Result>,
  msMax: number,
): Promise<Result | RefusedRequest> {
  try {
    return await store.withRunSnapshot(accountId, work, msMax);
  } catch (error) {
    if (error instanceof SnapshotExpired) return tooSlowRefusal(msMax);
    throw error;
  }
}

const tooSlowRefusal = (msMax: number): RefusedRequest => ({
  ok: false,
  error: {
    code: 'export_too_large',
    detail: `The export takes longer than ${msMax / 1_000} s, the most that one may. Export a shorter time or one map.`,
    members: { limit_secs: msMax / 1_000 },
  },
});

const fileTooLargeRefusal = (bytesMax: number): RefusedRequest => ({
  ok: false,
  error: {
    code: 'export_too_large',
    detail: `The file has more than ${bytesMax} bytes, the most that an export has. Export a shorter time or one map.`,
    members: { limit_bytes: bytesMax },
  },
});

async function* untilAbandoned<Piece>(
  pieces: AsyncGenerator<Piece>,
  isAbandoned: () => boolean,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (isAbandoned()) return;
    yield piece;
  }
}
