/** The databases of devices that are closed, as a browser may leave them. */
import { systemClock } from '../../client/core/clock.ts';
import { openDeviceStore, type DeviceStore } from '../../client/storage/device-store.ts';
import { memoryStorage } from './devices.ts';

/** Its rows, looked at or changed behind the engine's back. */
export async function inDatabase<Result>(name: string, work: (store: DeviceStore) => Promise<Result>): Promise<Result> {
  const store = await openDeviceStore({ name, storage: memoryStorage(), schedule: systemClock.schedule });
  try {
    await store.records.refreshAll();
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function copyDatabase(names: { from: string; to: string }): Promise<void> {
  await inDatabase(names.from, (from) =>
    inDatabase(names.to, async (to) => {
      for (const table of ['records', 'outbox', 'drafts'] as const) {
        const rows = [...from[table].entries()].map(([id, body]) => ({ id, body: body as never }));
        await to[table].write(rows);
      }
    }),
  );
}
