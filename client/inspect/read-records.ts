/** Reads records in two layers: as last pulled (the base), and with the pending mutations applied. */
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import { GembaError } from '../core/errors.ts';
import type { SendableEntry } from '../outbox/model/entry.ts';
import type { View } from '../view/view.ts';
import { outboxItemOf } from './read-outbox.ts';
import type { BaseFacts, Json, NamedRecord, RecordLayers, TraceFacts } from './shapes.ts';

export function readBase(view: View): BaseFacts {
  const { maps, runs, cursor } = view.base;
  return {
    maps: maps.size,
    runs: runs.size,
    cursor: cursor
      ? {
          cursor: cursor.cursor,
          epoch: cursor.epoch,
          complete: cursor.complete,
          synced_at: cursor.synced_at,
          partial: cursor.partial ?? false,
        }
      : null,
    pending: pendingRecordKeysOf(view),
  };
}

export function listMaps(view: View): NamedRecord[] {
  const pending = new Set(pendingRecordKeysOf(view).map(({ kind, id }) => `${kind}|${id}`));
  return view.allMaps().map(({ id, name }) => ({ id, name, is_pending: pending.has(`map|${id}`) }));
}

export function listRuns(view: View, mapId: string): NamedRecord[] {
  const pulled = [...(view.base.runIdsOfMap.get(mapId) ?? [])].map(String);
  const waiting = pendingRecordKeysOf(view).flatMap(({ kind, id }) => (kind === 'run' ? [id] : []));
  const ids = new Set([...pulled, ...waiting.filter((id) => view.run(Number(id))?.map_id === mapId)]);
  return [...ids]
    .flatMap((id) => view.run(Number(id)) ?? view.base.runs.get(Number(id)) ?? [])
    .toSorted((a, b) => b.number - a.number)
    .map(({ id, name, number }) => ({
      id: String(id),
      name: name || `#${number}`,
      is_pending: waiting.includes(String(id)),
    }));
}

/** Throws `map_not_found` or `run_not_found` if neither the server nor a mutation has such a record. */
export function readRecord(view: View, kind: 'map' | 'run', id: string, trace: TraceFacts): RecordLayers {
  const [base, shown] =
    kind === 'map' ? [view.base.maps.get(id), view.map(id)] : [view.base.runs.get(Number(id)), view.run(Number(id))];
  const waiting = view.waiting.filter((entry) =>
    recordKeysOf(entry, view).some((one) => one.kind === kind && one.id === id),
  );
  if (!base && !shown && waiting.length === 0)
    throw new GembaError({ code: `${kind}_not_found`, detail: `This device has no ${kind} with this id.` });
  return {
    kind,
    id,
    base: (base as Json | undefined) ?? null,
    shown: (shown as Json | undefined) ?? null,
    changed: changedFieldsOf(base as Json | undefined, shown as Json | undefined),
    pending: waiting.map((entry) => outboxItemOf(entry, trace)),
  };
}

function changedFieldsOf(base: Json = {}, shown: Json = {}): string[] {
  if (base === shown) return [];
  const names = new Set([...Object.keys(base), ...Object.keys(shown)]);
  return [...names].filter((name) => comparableTextOf(base[name]) !== comparableTextOf(shown[name])).toSorted();
}

const comparableTextOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));

function pendingRecordKeysOf(view: View): BaseFacts['pending'] {
  const found = new Map<string, BaseFacts['pending'][number]>();
  for (const entry of view.waiting)
    for (const record of recordKeysOf(entry, view)) found.set(`${record.kind}|${record.id}`, record);
  return [...found.values()];
}

/** Returns the map and the run that a mutation changes, as far as its arguments name them. */
function recordKeysOf({ args }: SendableEntry, view: View): BaseFacts['pending'] {
  const { map_id, run_id, recording_session_id } = args;
  const session = typeof recording_session_id === 'string' ? view.recordingSession(recording_session_id) : undefined;
  const run = typeof run_id === 'number' ? run_id : session?.run_id;
  return [
    ...(typeof map_id === 'string' ? [{ kind: 'map' as const, id: map_id }] : []),
    ...(run === undefined ? [] : [{ kind: 'run' as const, id: String(run) }]),
  ];
}
