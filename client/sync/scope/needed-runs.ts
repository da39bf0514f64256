/** Loads the runs that a first pull leaves out and that the device needs all the same. */
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import { runsPerLoadMax } from '../../../shared/schema/limits.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { Base } from '../../view/base.ts';
import { SyncError } from '../cycle/failure/sync-failure.ts';
import { fetchRuns, type LoadRunsOptions } from './load-runs.ts';

interface FirstPull {
  pages: readonly PullResponse[];
  /** The last page. */
  page: PullResponse;
  needed: ReadonlySet<number>;
  signal: AbortSignal;
}

interface LoadNeededOptions extends Pick<LoadRunsOptions, 'transport'> {
  base: Pick<Base, 'runs' | 'cursor'>;
  outbox: Pick<Outbox, 'device'>;
}

/** After the server was restored, all runs of the device are needed: what is missing there was lost. */
export async function loadNeededRuns(
  { base, outbox, transport }: LoadNeededOptions,
  { pages, page, needed, signal }: FirstPull,
): Promise<RecordChange[]> {
  const isRestored = base.cursor !== undefined && base.cursor.epoch !== page.epoch;
  const pulled = new Set(
    pages.flatMap(({ changes }) => changes.flatMap(({ kind, id }) => (kind === 'run' ? [Number(id)] : []))),
  );
  const held = isRestored ? [...base.runs.keys()] : [];
  const ids = [...new Set([...needed, ...held])].filter((id) => !pulled.has(id));
  const accountId = () => outbox.device.account_id;
  const loaded: RecordChange[] = [];
  for (let first = 0; first < ids.length; first += runsPerLoadMax) {
    const asked = { ids: ids.slice(first, first + runsPerLoadMax) };
    const found = await fetchRuns({ transport, accountId, signal }, asked, page);
    if (found.epoch !== page.epoch || (isRestored && found.newer.length > 0)) {
      throw new SyncError({ kind: 'overtaken', detail: 'Runs of this device changed during its pull.' });
    }
    const head = { kind: 'run', deleted: false } as const;
    loaded.push(...found.runs.map((doc) => ({ ...head, id: doc.id, version: doc.version, doc })));
  }
  return loaded;
}
