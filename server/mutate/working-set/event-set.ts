/** The account events that one transaction adds. */
import type { EventType } from '../../../shared/schema/integration/event-types.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import { operatorActor } from '../../core/caller.ts';
import type { EventRow, LoggedEvent } from '../../store/events/event-row.ts';

export class EventSet {
  /** The actor of the events that are added next. */
  actor = operatorActor;
  readonly #added: LoggedEvent[] = [];
  #changedAt = '';

  /** `version` is a new version of the account that belongs to this change alone. */
  add(type: EventType, subjectId: string | number, { version, now }: { version: number; now: string }): void {
    this.#changedAt = now;
    this.#added.push({ version, type, subjectId, actor: this.actor });
  }

  addMap(map: MapDoc, { before, now }: { before: MapDoc | undefined; now: string }): void {
    this.add(mapEventType(map, before), map.id, { version: map.version, now });
  }

  /** Returns one row that has all added events; no row if there are none. */
  rows(): EventRow[] {
    const last = this.#added.at(-1);
    return last ? [{ last_version: last.version, created_at: this.#changedAt, events: this.#added }] : [];
  }
}

function mapEventType(map: MapDoc, before: MapDoc | undefined): EventType {
  if (!before) return 'map.created';
  if (before.deleted === map.deleted) return 'map.updated';
  return map.deleted ? 'map.deleted' : 'map.restored';
}
