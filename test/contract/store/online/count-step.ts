/** An online step as a later version may have it, slowed down so that a test can kill its process in the middle. */
import type { OnlineStep } from '../../../../server/store/online/online-step.ts';

export const stepTiming = { leaseMs: 900, pauseMs: 15, rowsMax: 10 };

const fill = {
  kind: 'backfill',
  table: 'runs',
  id: 'id',
  set: 'step_count = coalesce(json_array_length(steps), 0), step_count_version = version',
} as const;

export const countStep: OnlineStep = {
  name: 'count steps',
  postgres: { ...fill, unfilled: 'step_count_version IS DISTINCT FROM version' },
  sqlite: { ...fill, unfilled: 'step_count_version IS NOT version' },
};

/** The migration of that version adds the columns, which takes a moment on both databases. */
export const addColumns = [
  'ALTER TABLE runs ADD COLUMN step_count bigint',
  'ALTER TABLE runs ADD COLUMN step_count_version bigint',
];
/** SQLite adds the columns as INTEGER, since its strict tables know no bigint. */
export const addColumnsSqlite = addColumns.map((text) => text.replace('bigint', 'INTEGER'));
