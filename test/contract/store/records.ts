/** Records to store, and a small caller of `transact` that stamps versions as server/mutate does. */
import { randomUUID } from 'node:crypto';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { DeviceRow, NewTokenRow } from '../../../server/store/credentials/credentials.ts';
import type { LoadedRows, TransactionReadSet, TransactionWrites } from '../../../server/store/transaction.ts';
import type { RunRow } from '../../../server/store/rows/documents.ts';
import { emptyReadSet } from '../../../server/mutate/working-set/read-set.ts';
import type { Store } from '../../../server/store/store.ts';

export const nothing: TransactionReadSet = emptyReadSet();

/** `next_id` is the account's next id; undefined leaves it as it is. */
type Made = Partial<Omit<TransactionWrites, 'account'>> & { next_id?: number };

/** Writes the records that `make` returns; `make` receives a source of versions. */
export function write(
  store: Store,
  accountId: string,
  make: (nextVersion: () => number, loaded: LoadedRows) => Made,
  readSet: Partial<TransactionReadSet> = {},
): Promise<number> {
  return store.transact(accountId, { ...nothing, ...readSet }, (loaded) => {
    let { version } = loaded.account;
    const made = make(() => ++version, loaded);
    const writes: TransactionWrites = {
      account: { ...loaded.account, version, next_id: made.next_id ?? loaded.account.next_id },
      maps: (made.maps ?? []).map((map) => ({ ...map, created_version: map.created_version || map.version })),
      runs: made.runs ?? [],
      takenStageIds: made.takenStageIds ?? [],
      clients: made.clients ?? [],
      pushAnswers: made.pushAnswers ?? [],
      appliedMutations: made.appliedMutations ?? [],
      ...(made.appliedMutationsDeletedUpTo === undefined
        ? {}
        : { appliedMutationsDeletedUpTo: made.appliedMutationsDeletedUpTo }),
      idempotentReplies: made.idempotentReplies ?? [],
      ...(made.idempotencyDeletedBefore === undefined
        ? {}
        : { idempotencyDeletedBefore: made.idempotencyDeletedBefore }),
      events: made.events ?? [],
      ...(made.credentials ? { credentials: made.credentials } : {}),
      ...(made.webhooks ? { webhooks: made.webhooks } : {}),
      ...(made.billing ? { billing: made.billing } : {}),
    };
    return { writes, result: version };
  });
}

export async function newAccount(store: Store): Promise<string> {
  const id = randomUUID();
  await store.createAccount({
    id,
    name: 'Works',
    plan: 'team',
    additional_seats: 3,
    seats_limited: true,
    created_at: instant,
  });
  return id;
}

export const instant = '2026-04-01T09:30:00.123Z';

export function deviceRow(id: string, fields: Partial<DeviceRow> = {}): DeviceRow {
  const made = { list_id: randomUUID(), name: 'Watch', paired_at: instant, last_seen_at: null, revoked_at: null };
  return { ...made, id, kind: 'wearable', code_hash: 'c', silent_event_at: null, ...fields };
}

/** A token of a device. */
export const tokenRow =
  (accountId: string) =>
  (deviceId: string): NewTokenRow => ({
    account_id: accountId,
    token_hash: randomUUID(),
    id: randomUUID(),
    kind: 'device',
    name: 'Watch',
    scopes: ['read', 'record'],
    device_id: deviceId,
    last_four: 'beef',
    created_at: instant,
    created_by: null,
    revoked_at: null,
  });

/** An API key that may administer. */
export const keyOf = (accountId: string, fields: Partial<NewTokenRow> = {}): NewTokenRow => ({
  ...tokenRow(accountId)(randomUUID()),
  kind: 'key',
  device_id: null,
  scopes: ['read', 'admin'],
  ...fields,
});

export function mapDoc(version: number, fields: Partial<MapDoc> = {}): MapDoc {
  const id = fields.id ?? randomUUID();
  return {
    id,
    name: 'Assembly',
    industry: 'Steel',
    description: '',
    state: 'current',
    archived: false,
    deleted: false,
    deleted_at: null,
    created_at: instant,
    updated_at: instant,
    version,
    created_version: version,
    stage_count: 1,
    run_count: 0,
    last_run_at: null,
    last_run_number: 0,
    stages: [
      {
        id: 1,
        map_id: id,
        stage: 'Weld',
        order: 1,
        cycle_time_hrs: 0.1,
        wait_time_hrs: 0,
        work_type: 'valuable',
        value_add: true,
      },
    ],
    ...fields,
  };
}

export function runRow(version: number, fields: { mapId: string; number: number } & Partial<RunRow>): RunRow {
  const { mapId, number, ...rest } = fields;
  const id = rest.id ?? number;
  const recording_session_id = rest.recording_session_id ?? `session-${randomUUID()}`;
  const doc: RunDoc = {
    id,
    map_id: mapId,
    number,
    recording_session_id,
    device_id: null,
    started_at: instant,
    created_at: instant,
    version,
    total_time_secs: 36.6,
    value_add_time_secs: 36.6,
    pce: 1,
    step_count: 1,
    steps: [
      {
        stage_name: 'Weld',
        order: 1,
        duration_secs: 36.6,
        duration_estimated: false,
        work_type: 'valuable',
        value_add: true,
        notes: '',
        photos: [],
      },
    ],
  };
  const { stages: _, ...map_then } = mapDoc(version, { id: mapId });
  return {
    id,
    map_id: mapId,
    number,
    created_at: instant,
    version,
    recording_session_id,
    fingerprint: 'f'.repeat(64),
    made_map: false,
    map_then,
    stage_ids: [1],
    bytes: 700,
    doc,
    ...rest,
  };
}
