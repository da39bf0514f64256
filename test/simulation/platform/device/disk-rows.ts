/**
 * The rows of one collection as a tab has them open. A write is one transaction, as in a browser's database, and is then
 * told to the other tabs, unless the tab dies in between.
 */
import { Subject } from 'rxjs';
import {
  conflictsOf,
  expectedRevisionsOf,
  type RowStore,
  type StoredRow,
} from '../../../../client/storage/row-store.ts';
import type { Faults } from '../../faults.ts';

export type SharedRows = ReadonlyMap<string, StoredRow<unknown>>;

/** The point between a commit and the word of it to the other tabs. */
export const untoldPoint = 'before other tabs hear of';

/** A tab that has the rows open. */
export interface DiskUser {
  faults: Faults;
  /** Waits while the tab is frozen; undefined while it runs. */
  whenAwake(): Promise<void> | undefined;
}

export interface OpenRows {
  rows: Map<string, StoredRow<unknown>>;
  /** Called with the writes of the other tabs; each with the tab that listens. */
  listeners: Map<(rows: StoredRow<unknown>[]) => void, DiskUser>;
}

interface DiskRowsOptions {
  name: string;
  shared: OpenRows;
  user: DiskUser;
  /** Rejects, or waits, while the disk has a fault; undefined while it has none. */
  ready: () => Promise<void> | undefined;
}

export function openDiskRows<Body>({ name, shared, user, ready }: DiskRowsOptions): RowStore<Body> {
  const { faults } = user;
  const rows = shared.rows as Map<string, StoredRow<Body>>;
  const changes = new Subject<StoredRow<Body>[]>();
  const listen = async (written: StoredRow<unknown>[]) => {
    await user.whenAwake();
    if (!faults.dead) changes.next(written as StoredRow<Body>[]);
  };
  const listener = (written: StoredRow<unknown>[]) => void setImmediate(() => void listen(written));
  shared.listeners.set(listener, user);
  const close = () => {
    shared.listeners.delete(listener);
    changes.complete();
    return Promise.resolve();
  };
  const tombstones = () => [...rows.values()].filter(({ body }) => body === null);
  return {
    name,
    changes$: changes.asObservable(),
    readAll: async () => {
      await user.whenAwake();
      return [...rows.values()].filter(({ body }) => body !== null).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    read: async (ids) => {
      await user.whenAwake();
      return ids.flatMap((id) => rows.get(id) ?? []);
    },
    write: async (writes, fences = []) => {
      const written = writes.map(({ row }) => row);
      faults.point(`before write of ${name}`);
      await ready();
      await user.whenAwake();
      if (faults.dead) throw new Error('dead before the write');
      const expected = expectedRevisionsOf(writes, fences);
      const conflicts = conflictsOf(
        expected,
        expected.flatMap(({ id }) => rows.get(id) ?? []),
      );
      if (conflicts.length === 0) for (const row of written) rows.set(row.id, row);
      if (conflicts.length === 0 && shared.listeners.size > 1) {
        faults.point(`${untoldPoint} ${name}`);
        for (const tell of shared.listeners.keys()) if (tell !== listener) tell(written);
      }
      faults.point(`after write of ${name}`);
      await user.whenAwake();
      return conflicts;
    },
    purge: async ({ rowsMax, keptMax = 0 }) => {
      const removed = tombstones();
      if (removed.length > keptMax) for (const { id } of removed.slice(0, rowsMax)) rows.delete(id);
    },
    drop: () => {
      rows.clear();
      return close();
    },
    close,
  };
}
