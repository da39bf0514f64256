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
   * The id of a row that a tab rewrites after stealing the lock, so that writes of the tab that lost the lock conflict.
   */
  fenceRowId?: string | undefined;
}
