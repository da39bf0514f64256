/** Reads the current records of the subjects of events. */
import type { AccountEvent, SubjectRecord } from '../../shared/schema/integration/account-event.ts';
import type { EventSubjectKind } from '../../shared/schema/integration/event-types.ts';
import { toFullMap } from '../../shared/domain/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { Account } from '../../shared/schema/account.ts';
import type { ApiKey, Device } from '../../shared/schema/auth.ts';
import { hexOfPhotoId } from '../../shared/schema/photos/photo-id.ts';
import { toApiAccount } from '../auth/api-account.ts';
import { toApiKey } from '../auth/api-key.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import { toPhotoObject } from '../store/photos/photo-object.ts';
import { toApiDevice } from '../store/credentials/device-record.ts';
import type { IdsQuery } from '../store/queries.ts';
import type { Page } from '../store/page.ts';
import type { Store } from '../store/store.ts';

/** A batch ends with the record that reaches this size, since a record may have megabytes. */
const batchBytesMax = 4 * 1024 * 1024;

interface CallerRights {
  accountId: string;
  /** True if the caller may read devices, keys and the account. */
  isAdmin: boolean;
}

/**
 * Adds to each event the record of its subject; null if the subject was deleted. Leaves an event as it is if the
 * subject is a webhook endpoint, or the caller may not read the subject.
 */
export async function withSubjectRecords(
  store: Store,
  { accountId, isAdmin }: CallerRights,
  events: AccountEvent[],
): Promise<AccountEvent[]> {
  const subjects = new EventSubjects(events);
  const records = new Map<string, SubjectRecord>();
  for (const map of await readAll(subjects.ids('map'), (query) => store.mapsByIds(accountId, query))) {
    records.set(subjectKeyOf('map', map.id), toFullMap(map));
  }
  const runIds = subjects.ids('run').map(Number);
  for (const run of await readAll(runIds, (query) => store.runsByIds(accountId, query), withoutSteps)) {
    records.set(subjectKeyOf('run', run.id), run);
  }
  for (const id of subjects.ids('photo')) records.set(subjectKeyOf('photo', id), await readPhoto(store, accountId, id));
  if (isAdmin) {
    for (const [key, record] of await readCredentials(store, accountId, subjects)) records.set(key, record);
  }
  return events.map((event) => {
    const { kind, id } = event.subject;
    const mayRead = kind !== 'webhook' && (isAdmin || kindsReadableByAll.has(kind));
    return mayRead
      ? { ...event, subject: { ...event.subject, record: records.get(subjectKeyOf(kind, id)) ?? null } }
      : event;
  });
}

const subjectKeyOf = (kind: EventSubjectKind, id: string | number): string => `${kind} ${id}`;

const kindsReadableByAll: ReadonlySet<EventSubjectKind> = new Set(['map', 'run', 'photo']);

class EventSubjects {
  readonly #events: AccountEvent[];

  constructor(events: AccountEvent[]) {
    this.#events = events;
  }

  ids(kind: EventSubjectKind): string[] {
    const subjects = this.#events.flatMap(({ subject }) => (subject.kind === kind ? [String(subject.id)] : []));
    return [...new Set(subjects)];
  }
}

function withoutSteps({ steps: _steps, recorded_steps: _recorded, ...record }: RunDoc): RunRecord {
  return record;
}

/** Reads the records in batches. `shown` returns the part of a record that the caller sees. */
async function readAll<Id, Doc extends { id: Id }, Shown = Doc>(
  ids: Id[],
  read: (query: IdsQuery<Id>) => Promise<Page<Doc, Id>>,
  shown: (doc: Doc) => Shown = (doc) => doc as unknown as Shown,
): Promise<Shown[]> {
  const found: Shown[] = [];
  let after: Id | undefined;
  while (ids.length > 0) {
    const query = { ids, bytesMax: batchBytesMax, ...(after === undefined ? {} : { after }) };
    const { rows, next } = await read(query);
    found.push(...rows.map(shown));
    if (next === null) break;
    after = next;
  }
  return found;
}

async function readPhoto(store: Store, accountId: string, id: string): Promise<SubjectRecord> {
  const hex = hexOfPhotoId(id);
  const photo = hex === undefined ? undefined : await store.photo(accountId, hex);
  return hex === undefined || photo === undefined ? null : toPhotoObject(hex, photo);
}

async function readCredentials(
  store: Store,
  accountId: string,
  subjects: EventSubjects,
): Promise<(readonly [key: string, record: Account | Device | ApiKey])[]> {
  const deviceIds = subjects.ids('device');
  const keyIds = subjects.ids('key');
  if (deviceIds.length + keyIds.length + subjects.ids('account').length === 0) return [];
  const readSet = { ...emptyReadSet(), credentials: { deviceIds, keyIds, creators: [] } };
  return store.transact(accountId, readSet, ({ account, credentials }) => ({
    result: [
      [subjectKeyOf('account', account.id), toApiAccount(account)] as const,
      ...(credentials?.devices ?? []).map((row) => [subjectKeyOf('device', row.id), toApiDevice(row)] as const),
      ...(credentials?.tokens ?? [])
        .filter(({ kind }) => kind === 'key')
        .map((row) => [subjectKeyOf('key', row.id), toApiKey(row)] as const),
    ],
  }));
}
