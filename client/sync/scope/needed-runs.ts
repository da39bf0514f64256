/** Loads the runs that a full pull leaves out because of the scope, but that the device needs. */
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import { runsPerLoadMax } from '../../../shared/schema/limits.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { Base } from '../../view/base.ts';
import { SyncError } from '../cycle/failure/sync-failure.ts';
import type { NeededRunsContext } from './hooks.ts';
import { fetchRuns } from './load-runs.ts';

interface NeededRunsInput {
  pages: readonly PullResponse[];
  /** The last page. */
  page: PullResponse;
  /** The ids of the runs that the outbox names or that a tab shows. */
  needed: ReadonlySet<number>;
}

interface LoadNeededOptions extends NeededRunsContext {
  base: Pick<Base, 'runs' | 'cursor'>;
  outbox: Pick<Outbox, 'device'>;
}

/**
 * Returns the needed runs as changes. After a restore of the server, requests all runs of the device, so that the pull
 * finds out which of them the server lost.
 */
export async function loadNeededRuns(
  { base, outbox, transport, signal }: LoadNeededOptions,
  { pages, page, needed }: NeededRunsInput,
): Promise<RecordChange[]> {
  const isRestored = base.cursor !== undefined && base.cursor.epoch !== page.epoch;
  const pulled = new Set(
    pages.flatMap(({ changes }) => changes.flatMap(({ kind, id }) => (kind === 'run' ? [Number(id)] : []))),
  );
  const held = isRestored ? [...base.runs.keys()] : [];
  // Sorts the ids, so that each attempt makes the same requests. A device that syncs through carriers can then use
  // answers to earlier attempts.
  const ids = [...new Set([...needed, ...held])].filter((id) => !pulled.has(id)).toSorted((a, b) => a - b);
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
