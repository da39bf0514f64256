/** Changes the databases of closed devices into states in which a browser may leave them. */
import { systemClock } from '../../client/core/clock.ts';
import { openDeviceTables, type DeviceTables } from '../../client/storage/device-tables.ts';
import { memoryStorage } from './devices.ts';

/** Opens the rows without the engine, to read or change them. */
export async function inDatabase<Result>(
  name: string,
  work: (store: DeviceTables) => Promise<Result>,
): Promise<Result> {
  const store = await openDeviceTables({ name, storage: memoryStorage(), clock: systemClock });
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
