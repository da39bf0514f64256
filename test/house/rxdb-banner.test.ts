import 'fake-indexeddb/auto';
import { createRxDatabase } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { expect, test, vi } from 'vitest';
import { isRxdbBanner } from './rxdb-banner.ts';

test('[HOUSE-1] the banner of the Dexie storage is left out of the console of a test run, and nothing else', async () => {
  const banner = await captureBanner();

  expect(isRxdbBanner(banner)).toBe(true);
  expect(isRxdbBanner(`${banner}\n`)).toBe(true);
  expect(isRxdbBanner(`a warning of ours\n${banner}`)).toBe(false);
  expect(isRxdbBanner(`${banner}\na warning of ours`)).toBe(false);
  expect(isRxdbBanner('-------------- RxDB dev-mode warning -------------------------------')).toBe(false);
  expect(isRxdbBanner('RxDB Error-Code: DB1')).toBe(false);
});

async function captureBanner(): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const database = await createRxDatabase({ name: 'banner', storage: getRxStorageDexie() });
  await database.close();
  const [message] = warn.mock.calls.flat();
  warn.mockRestore();
  return String(message);
}
