/** Writes the selected runs of one version of the account into a spool, before the client gets the first byte. */
import { exportPieces, factsOfFormat, type ExportFormat, type ExportOptions } from '../../shared/export/formats.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { randomUuid, type World } from '../core/world.ts';
import type { Store } from '../store/store.ts';
import { loadRuns } from './load-runs.ts';
import { selectRuns, type RunSelection } from './select-runs.ts';
import { spoolOf, type Spool } from './spool.ts';

interface ExportRequest {
  format: ExportFormat;
  selection: RunSelection;
  options: ExportOptions;
  /** True once nobody waits for the export any longer. */
  isAbandoned(): boolean;
}

/** Resolves to undefined if the export was abandoned. */
export async function exportRuns(
  { store, world }: { store: Store; world: World },
  accountId: string,
  { format, selection, options, isAbandoned }: ExportRequest,
): Promise<{ ok: true; spool: Spool } | RefusedRequest | undefined> {
  let spool: Spool | undefined;
  const exported = store.withRunSnapshot(accountId, async (snapshot) => {
    const selected = await selectRuns(snapshot, selection, factsOfFormat[format].stepsMax);
    if (!selected.ok || isAbandoned()) return selected.ok ? undefined : selected;
    const pieces = exportPieces(format, () => loadRuns(snapshot, selected.runs), options);
    spool = await spoolOf(whileWaitedFor(pieces, isAbandoned), randomUuid(world));
    if (!isAbandoned()) return { ok: true as const, spool };
    await spool.close();
    return undefined;
  });
  return exported.catch(async (error: unknown) => {
    // The end of the snapshot may fail after the file was written.
    await spool?.close();
    throw error;
  });
}

/** Tells whether the export would be refused. */
export async function refuseExport(
  store: Store,
  accountId: string,
  { format, selection }: Pick<ExportRequest, 'format' | 'selection'>,
): Promise<RefusedRequest | undefined> {
  const { stepsMax } = factsOfFormat[format];
  const selected = await store.withRunSnapshot(accountId, (snapshot) => selectRuns(snapshot, selection, stepsMax));
  return selected.ok ? undefined : selected;
}

async function* whileWaitedFor<Piece>(
  pieces: AsyncGenerator<Piece>,
  isAbandoned: () => boolean,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (isAbandoned()) return;
    yield piece;
  }
}
