/** A tab that missed a tap of a tab that died, and heard of the next tap of another. */
import { randomUUID } from 'node:crypto';
import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { rowStorageDrivers } from '../../device/row-storages.ts';
import type { StoredRow } from '../../../client/storage/row-store.ts';
import type { TapBody } from '../../../client/storage/rows.ts';
import { StorageHealth } from '../../../client/storage/storage-health.ts';
import { Table } from '../../../client/storage/table.ts';
import { Drafts } from '../../../client/recording/drafts.ts';

const session = 'session';
const at = { wall_ms: 0, monotonic_ms: 0, boot_id: 'boot' };
const started = { kind: 'started', at, recording_session_id: session, map_id: 'map', new_map_name: 'Saw' } as const;

test.each(rowStorageDrivers)(
  '[TABS-27] a tab on %s that heard of a tap, but not of the one before, overwrites neither',
  async (_name, make) => {
    const [open, databaseName] = [make(), randomUUID()];
    const tab = async () => {
      const store = await open(databaseName).open<TapBody>({ name: 'drafts', version: 0, isShared: false });
      onTestFinished(() => store.close());
      const heard$ = new Subject<StoredRow<TapBody>[]>();
      const health = new StorageHealth();
      const table = new Table({ store: { ...store, changes$: heard$ }, health, wallMs: Date.now });
      await table.refreshAll();
      const drafts = new Drafts(table);
      const step = (stage_name: string) =>
        drafts.append(session, { kind: 'stepped', at, stage_name, work_type: null, notes: '' }, () => {});
      return { store, drafts, step, hear: (rows: StoredRow<TapBody>[]) => heard$.next(rows) };
    };
    const [dead, live] = [await tab(), await tab()];
    await live.drafts.start(started);
    await dead.drafts.refresh();
    const late = await tab();
    await dead.step('load');
    await live.step('cut');
    late.hear(await live.store.read([`${session}|000002`]));
    await late.step('pack');
    for (const { drafts } of [late, await tab()]) {
      const names = drafts.get(session)?.steps.map(({ recorded }) => recorded.stage_name);
      expect(names).toEqual(['load', 'cut', 'pack']);
    }
  },
);
