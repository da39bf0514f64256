/** Faults of the account events that other systems follow. */
import type { Fault } from './fault.ts';

const contract = ['test/contract/sqlite.test.ts'];

export const eventFaults: readonly Fault[] = [
  {
    name: 'tell nothing of a run that was deleted',
    harm: 'A copy in another system keeps runs that are gone.',
    file: 'server/mutate/working-set/working-set.ts',
    find: "this.events.add('run.deleted', changes.deletedRunId, { version: this.nextVersion(), now });",
    replace: 'this.nextVersion();',
    tests: contract,
    only: 'EVENTLOG-',
  },
  {
    name: 'a page of events that leads past what it left out',
    harm: 'An integrator misses the rest of a push for ever.',
    file: 'server/events/list-events.ts',
    find: 'eventPage(data, { next_cursor: cursorAt(version), has_more: true });\n      version',
    replace: 'eventPage(data, { next_cursor: cursorAt(rows.at(-1)!.last_version), has_more: true });\n      version',
    tests: contract,
    only: 'EVENTLOG-2',
  },
  {
    name: 'forget up to where events were removed',
    harm: 'An integrator that was away for a month goes on as if nothing had happened meanwhile.',
    file: 'server/store/events/sqlite-events.ts',
    find: 'WHERE account_id = ? AND last_version < ? RETURNING 1',
    replace: 'WHERE account_id = ? AND last_version <= ? RETURNING 1',
    tests: contract,
    only: 'EVENTLOG-12',
  },
  {
    name: 'follow events across a restore',
    harm: 'An integrator keeps changes that the restore took back.',
    file: 'server/events/list-events.ts',
    find: 'cursor.epochPrefix !== epochPrefix || ',
    replace: '',
    tests: ['test/scenario/operations/backup.test.ts'],
    only: 'EVENTLOG-13',
  },
];
