/** Parses the query parameters that select the runs of an export. */
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { runsPerExportMax } from '../../../shared/schema/limits.ts';
import type { Caller } from '../../core/caller.ts';
import type { RunSelection } from '../../export/select-runs.ts';
import type { Store } from '../../store/store.ts';
import { isIntegerText } from '../routes/list.ts';
import { findReadableMap } from '../routes/readable-map.ts';
import type { RefusedReply } from '../route-reply.ts';
import { refuseReversedTimes } from '../run-list.ts';

export interface SelectionQuery {
  map_id?: string;
  from?: string;
  to?: string;
  run_ids?: string;
}

export async function parseSelection(
  store: Store,
  caller: Caller,
  { map_id, from, to, run_ids }: SelectionQuery,
): Promise<{ ok: true; selection: RunSelection } | RefusedReply> {
  const times = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const reversed = refuseReversedTimes(times);
  if (reversed) return reversed;
  const runIds = run_ids === undefined ? undefined : parseRunIds(run_ids);
  if (runIds && !runIds.ok) return runIds;
  const found = map_id === undefined ? undefined : await findReadableMap(store, caller, { id: map_id });
  if (found && !found.ok) return found;
  const selection = {
    ...times,
    ...(found ? { mapId: found.map.id } : {}),
    ...(runIds ? { runIds: runIds.ids } : {}),
  };
  return { ok: true, selection };
}

function parseRunIds(text: string): { ok: true; ids: number[] } | RefusedReply {
  const parts = text.split(',');
  const ids = [...new Set(parts.map(Number))];
  const areIds = parts.every(isIntegerText) && ids.length === parts.length && ids.length <= runsPerExportMax;
  if (areIds) return { ok: true, ids };
  const message = `must be 1 to ${runsPerExportMax} distinct ids of runs with commas between them`;
  return validationRefusal([{ path: '/run_ids', message }]);
}
