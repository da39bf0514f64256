/**
 * Computes the changes that the server made for this device's mutations: applies the same mutations to the same
 * records, with the server's time and versions. Pure, except that it applies the changes to `overlay`.
 */
import type { EffectChange } from '../../../../shared/protocol/effects.ts';
import { withMapVersion, withRunVersion } from '../../../../shared/protocol/record-versions.ts';
import type { ChangedRecords } from '../../../../shared/domain/state.ts';
import type { MutationAnswer, PushEffects } from '../../../../shared/protocol/push.ts';
import type { SendableEntry } from '../../../outbox/model/entry.ts';
import { isKnownMutation } from '../../../outbox/model/mutation.ts';
import type { Overlay } from '../../../view/overlay.ts';

export interface OwnChanges {
  /** Each changed record once, in its latest state. */
  changes: EffectChange[];
  /** The account's version after the last of these changes. */
  version: number;
}

/** Returns undefined if the device cannot apply a mutation that the server applied. */
export function ownChanges(
  overlay: Overlay,
  { entries, results }: { entries: readonly SendableEntry[]; results: readonly MutationAnswer[] },
  { after, at, clock_behind_ms = 0 }: Pick<PushEffects, 'after' | 'at' | 'clock_behind_ms'>,
): OwnChanges | undefined {
  const applied = new Set(results.flatMap(({ seq, status }) => (status === 'applied' ? [seq] : [])));
  const latest = new Map<string, EffectChange>();
  let version = after;
  for (const entry of entries) {
    if (!applied.has(entry.seq)) continue;
    if (!isKnownMutation(entry)) return undefined;
    const outcome = overlay.dryRun(entry, { now: at, deviceClockBehindMs: clock_behind_ms });
    // The mutation named no ids for some new records. The server chose their ids, which the device cannot know.
    if (!outcome.ok || outcome.idsTaken > 0) return undefined;
    const before = outcome.changes.map && overlay.map(outcome.changes.map.id);
    const stamped = stampChanges(outcome.changes, before, () => ++version);
    overlay.applyChanges(stamped);
    for (const change of changesOf(stamped, version)) latest.set(`${change.kind}|${change.id}`, change);
  }
  return { changes: [...latest.values()], version };
}

/** Gives the records their versions in the server's order: first the map, then the run. */
function stampChanges(
  { map, newRun, changedRun, deletedRunId }: ChangedRecords,
  before: Parameters<typeof withMapVersion>[1],
  nextVersion: () => number,
): ChangedRecords {
  const stampedMap = map && withMapVersion(map, before, nextVersion());
  const stampedRun = newRun && withRunVersion(newRun, nextVersion());
  const stampedChange = changedRun && withRunVersion(changedRun, nextVersion());
  if (deletedRunId !== undefined) nextVersion();
  return {
    ...(stampedMap ? { map: stampedMap } : {}),
    ...(stampedRun ? { newRun: stampedRun } : {}),
    ...(stampedChange ? { changedRun: stampedChange } : {}),
    ...(deletedRunId === undefined ? {} : { deletedRunId }),
  };
}

/** Lists the changed records of one mutation. A deletion gets `version`, the mutation's last version. */
function changesOf({ map, newRun, changedRun, deletedRunId }: ChangedRecords, version: number): EffectChange[] {
  const runs = [newRun, changedRun].flatMap((doc) =>
    doc ? [{ kind: 'run' as const, id: doc.id, version: doc.version, deleted: false, doc }] : [],
  );
  return [
    ...(map ? [{ kind: 'map' as const, id: map.id, version: map.version, deleted: false, doc: map }] : []),
    ...runs,
    ...(deletedRunId === undefined ? [] : [{ kind: 'run' as const, id: deletedRunId, version, deleted: true }]),
  ];
}
