/**
 * The online steps of this version of the server, in their order. A step stays in the list for as long as the server
 * may upgrade a database on which the step never ran. A step's name is never used again.
 */
import type { OnlineStep } from './online-step.ts';

export const onlineSteps: readonly OnlineStep[] = [
  {
    // On PostgreSQL, migration 13 builds this index only if there are no runs. On SQLite, migration 11 builds it.
    // Without the index, each page of a scoped first pull sorts all runs of the account.
    name: 'index of runs by creation',
    postgres: {
      kind: 'index',
      index: 'runs_by_creation',
      create:
        'CREATE UNIQUE INDEX CONCURRENTLY runs_by_creation ON runs (account_id, created_at, id) WHERE record IS NOT NULL',
    },
  },
];
