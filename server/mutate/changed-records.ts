/** The records that one push changed, each in its latest state. A pull would show these changes, too. */
import type { EffectChange } from '../../shared/protocol/effects.ts';
import type { AffectedRecords } from './working-set/working-set.ts';

export class ChangedRecords {
  /** The account's version before the push. Records with a higher version were changed by the push. */
  readonly #versionBefore: number;
  /** True if another client sent one of the mutations earlier, so that the changes of that mutation are missing. */
  isIncomplete = false;
  readonly #changes = new Map<string, EffectChange>();

  constructor(versionBefore: number) {
    this.#versionBefore = versionBefore;
  }

  add({ map, run }: AffectedRecords): void {
    if (map) this.#put({ kind: 'map', id: map.id, version: map.version, deleted: false, doc: map });
    if (!run) return;
    const { id, version, doc } = run;
    this.#put(doc ? { kind: 'run', id, version, deleted: false, doc } : { kind: 'run', id, version, deleted: true });
  }

  list(): EffectChange[] {
    return [...this.#changes.values()];
  }

  #put(change: EffectChange): void {
    if (change.version > this.#versionBefore) this.#changes.set(`${change.kind}|${change.id}`, change);
  }
}
