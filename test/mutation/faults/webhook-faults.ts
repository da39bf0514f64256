/** Faults of the webhooks by which other systems hear of changes. */
import type { Fault } from './fault.ts';

export const webhookFaults: readonly Fault[] = [
  {
    name: 'go on after an event that an endpoint did not take',
    harm: 'The endpoint never hears of the event.',
    file: 'server/webhooks/next-state.ts',
    find: 'return { state: { ...failing, tries, next_attempt_at',
    replace: 'return { state: { ...failing, cursor: version, tries, next_attempt_at',
    tests: ['server/webhooks'],
    only: 'HOOK-4',
  },
  {
    name: 'save a try though the endpoint was written meanwhile',
    harm: 'An endpoint that a person disabled goes on, or its cursor goes back.',
    file: 'server/store/webhooks/sqlite-webhooks.ts',
    find: 'WHERE account_id = ?1 AND id = ?2 AND revision = ?3 RETURNING 1',
    replace: 'WHERE account_id = ?1 AND id = ?2 AND ?3 = ?3 RETURNING 1',
    tests: ['test/contract/store/sqlite.test.ts'],
    only: 'HOOK-4',
  },
  {
    name: 'post to whatever address a name has',
    harm: "An account's admin reaches services in the operator's own network.",
    file: 'server/webhooks/send/checked-addresses.ts',
    find: 'if (isRefused) throw',
    replace: 'if (isRefused && host === "") throw',
    tests: ['test/scenario/webhooks/bad-endpoints.test.ts'],
    only: 'HOOK-9',
  },
  {
    name: 'disable an endpoint and tell nobody',
    harm: 'An integrator misses events from then on and does not hear why.',
    file: 'server/webhooks/disable-webhook.ts',
    find: 'events: events.rows(),',
    replace: 'events: [],',
    tests: ['test/contract/sqlite.test.ts'],
    only: 'HOOK-6',
  },
];
