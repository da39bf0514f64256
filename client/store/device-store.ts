/** A device's database: three collections of RxDB, the only place that imports it. */
import { createRxDatabase, type RxCollection, type RxDatabase, type RxJsonSchema, type RxStorage } from 'rxdb';
import { draftBody, outboxBody, recordBody } from '../generated/row-schemas.ts';
import type { DraftBody, OutboxBody, RecordBody, Row } from './rows.ts';
import { Table } from './table.ts';

export type DeviceStorage = RxStorage<unknown, unknown>;

export interface DeviceStore {
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<DraftBody>;
  close(): Promise<void>;
}

/** A change of its rows' shape makes a new collection, pulled anew; the other two migrate. */
const recordsCollection = 'records_v1';

export async function openDeviceStore(name: string, storage?: DeviceStorage): Promise<DeviceStore> {
  const database = await createRxDatabase({
    name,
    storage: storage ?? (await browserStorage()),
    multiInstance: hasTabs,
    eventReduce: false,
  });
  try {
    const collections = (await database.addCollections({
      [recordsCollection]: { schema: rowSchema(recordBody) },
      outbox: { schema: rowSchema(outboxBody) },
      drafts: { schema: rowSchema(draftBody) },
    })) as unknown as Record<string, RxCollection<never>>;
    return await openTables(database, collections);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openTables(database: RxDatabase, collections: Record<string, unknown>): Promise<DeviceStore> {
  return {
    records: await Table.open(collections[recordsCollection] as RxCollection<Row<RecordBody>>),
    outbox: await Table.open(collections['outbox'] as RxCollection<Row<OutboxBody>>),
    drafts: await Table.open(collections['drafts'] as RxCollection<Row<DraftBody>>),
    close: async () => {
      await database.close();
    },
  };
}

/** Only a browser has several of us on one database; a second instance in one Node process is refused by RxDB. */
const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';

/** IndexedDB through Dexie; strict durability, so that a resolved write is on the disk. */
async function browserStorage(): Promise<DeviceStorage> {
  if (typeof indexedDB === 'undefined') {
    throw new Error('There is no IndexedDB here: pass `storage`, an RxDB storage, to openGemba.');
  }
  const { getRxStorageDexie } = await import('rxdb/plugins/storage-dexie');
  return getRxStorageDexie({ chromeTransactionDurability: 'strict' }) as DeviceStorage;
}

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
