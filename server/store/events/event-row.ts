/**
 * Converts account events to and from their stored form. The events of one transaction share a row, so that a push of
 * many recordings writes one row. The row has the version of its last event. Each stored event has, instead of its
 * version, the number of versions from the event to the last event.
 */
import type { EventActor } from '../../../shared/schema/integration/account-event.ts';
import type { EventType } from '../../../shared/schema/integration/event-types.ts';

export interface LoggedEvent {
  version: number;
  type: EventType;
  subjectId: string | number;
  actor: EventActor;
}

export interface EventRow {
  /** The version of the row's last event. */
  last_version: number;
  created_at: string;
  events: LoggedEvent[];
}

export interface EventColumns extends Pick<EventRow, 'last_version' | 'created_at'> {
  /** JSON text. An empty text marks that all events up to the `last_version` of this row were removed. */
  events: string;
}

/** The stored form of consecutive events of one actor. */
interface StoredEvents {
  actor: EventActor;
  events: [versionsBeforeLast: number, type: EventType, subjectId: string | number][];
}

export function toEventColumns({ last_version, created_at, events }: EventRow): EventColumns {
  const stored: StoredEvents[] = [];
  for (const { version, type, subjectId, actor } of events) {
    let last = stored.at(-1);
    if (last?.actor.kind !== actor.kind || last.actor.id !== actor.id) {
      last = { actor, events: [] };
      stored.push(last);
    }
    last.events.push([last_version - version, type, subjectId]);
  }
  return { last_version, created_at, events: JSON.stringify(stored) };
}

export function parseEventRow({ last_version, created_at, events }: EventColumns): EventRow {
  const stored: StoredEvents[] = events === '' ? [] : JSON.parse(events);
  return {
    last_version,
    created_at,
    events: stored.flatMap(({ actor, events: some }) =>
      some.map(([back, type, subjectId]) => ({ version: last_version - back, type, subjectId, actor })),
    ),
  };
}
