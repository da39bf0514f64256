/** Measures how large the tables are, for the metrics. */
import { throttle } from '../core/throttle.ts';
import type { World } from '../core/world.ts';
import type { Store } from './store.ts';

/** A measurement is expensive: PostgreSQL looks at the files of each table, and Citus asks each node. */
const measureIntervalMs = 60_000;

interface TableGauge {
  set(labels: { table: string }, bytes: number): void;
}

/**
 * Returns a function that measures the tables in the background, at most once a minute. During an outage of the
 * database the gauge keeps the last sizes.
 */
export function createTableMeter(
  { store, world }: { store: Pick<Store, 'tableBytes'>; world: World },
  gauge: TableGauge,
): () => void {
  return throttle({ ms: measureIntervalMs, now: world.now }, async () => {
    for (const { table, bytes } of await store.tableBytes()) gauge.set({ table }, bytes);
  });
}
