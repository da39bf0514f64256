import type { Clock } from '../core/clock.ts';
import type { RowStore } from './row-store.ts';
import type { StorageHealth } from './storage-health.ts';

export interface TableOptions<Body> {
  store: RowStore<Body>;
  health: StorageHealth;
  wallMs: Clock['wallMs'];
  /** Limits storage work to `storageTimeoutMs`. Without `schedule`, there is no limit. */
  schedule?: Clock['schedule'] | undefined;
  /** The id of a row that every write of the collection changes. Its revision shows whether any row has changed. */
  witnessRowId?: string | undefined;
  /**
   * A tab that steals the lock rewrites the row with this id. Later writes of the tab that lost the lock then conflict.
   */
  fenceRowId?: string | undefined;
}
