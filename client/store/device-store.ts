/** A device's database: three collections of RxDB, the only place that imports it. */
import { createRxDatabase, type RxCollection, type RxJsonSchema, type RxStorage } from 'rxdb';
import { browserStorage } from './browser-storage.ts';
import { StorageHealth } from './health.ts';
import { draftBody, outboxBody, recordBody } from '../generated/row-schemas.ts';
import type { Clock } from '../clock.ts';
import type { Mirror } from './mirror/mirror.ts';
import { opfsMirror } from './mirror/opfs.ts';
import { SecondCopy } from './mirror/second-copy.ts';
import type { DraftBody, OutboxBody, RecordBody, Row } from './rows.ts';
import { Table } from './table.ts';

export type DeviceStorage = RxStorage<unknown, unknown>;

export interface DeviceStore {
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<DraftBody>;
  health: StorageHealth;
  /** Of the outbox and the drafts. */
  secondCopy: SecondCopy;
  close(): Promise<void>;
}

/** A change of its rows' shape makes a new collection, pulled anew; the other two migrate. */
const recordsCollection = 'records_v1';

export interface DeviceStoreOptions {
  name: string;
  /** Without one, that of a browser. */
  storage?: DeviceStorage | undefined;
  /** Without one, that of a browser where the storage is, too. */
  mirror?: Mirror | undefined;
  schedule: Clock['schedule'];
}

export async function openDeviceStore({ name, storage, mirror, schedule }: DeviceStoreOptions): Promise<DeviceStore> {
  const health = new StorageHealth();
  const database = await createRxDatabase({
    name,
    storage: storage ?? ((await browserStorage(health)) as DeviceStorage),
    multiInstance: hasTabs,
    eventReduce: false,
  });
  try {
    const collections = (await database.addCollections({
      [recordsCollection]: { schema: rowSchema(recordBody) },
      outbox: { schema: rowSchema(outboxBody) },
      drafts: { schema: rowSchema(draftBody) },
    })) as unknown as Record<string, RxCollection<never>>;
    const tables = await openTables(collections, health);
    const secondCopy = await SecondCopy.open({
      ...tables,
      mirror: mirror ?? (storage ? undefined : await opfsMirror(name)),
      schedule,
    });
    return {
      ...tables,
      health,
      secondCopy,
      close: async () => {
        health.end();
        await database.close();
        secondCopy.close();
      },
    };
  } catch (error) {
    health.end();
    await database.close();
    throw error;
  }
}

async function openTables(collections: Record<string, unknown>, health: StorageHealth) {
  return {
    records: await Table.open(collections[recordsCollection] as RxCollection<Row<RecordBody>>, health),
    outbox: await Table.open(collections['outbox'] as RxCollection<Row<OutboxBody>>, health),
    drafts: await Table.open(collections['drafts'] as RxCollection<Row<DraftBody>>, health),
  };
}

/** Only a browser has several of us on one database; a second instance in one Node process is refused by RxDB. */
const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';

const idLengthMax = 200;

function rowSchema(body: object): RxJsonSchema<Row<never>> {
  return {
    version: 0,
    type: 'object',
    primaryKey: 'id',
    properties: { id: { type: 'string', maxLength: idLengthMax }, body: body as object },
    required: ['id', 'body'],
  };
}
