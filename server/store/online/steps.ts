/**
 * The online steps of this version, in their order. A step stays in the list for as long as databases without it may be
 * upgraded, and its name is never used again.
 */
import type { OnlineStep } from './online-step.ts';

export const onlineSteps: readonly OnlineStep[] = [
  {
    // PostgreSQL's migration 13 built it in its transaction, now only where there are no runs; SQLite's 11 builds it.
    // Until it is built, PostgreSQL reads and sorts the runs of the account at each page of a first pull with a scope.
    name: 'index of runs by creation',
    postgres: {
      kind: 'index',
      index: 'runs_by_creation',
      create:
        'CREATE UNIQUE INDEX CONCURRENTLY runs_by_creation ON runs (account_id, created_at, id) WHERE record IS NOT NULL',
    },
  },
];
