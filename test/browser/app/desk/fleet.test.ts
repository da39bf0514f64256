/** An account with 500 devices on the desk. Real server process, real Chromium. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseFileName } from '../../../../server/store/sqlite/data-folder.ts';
import { openDatabase } from '../../../../server/store/sqlite/database.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, newCode, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { shortRecording, uploadRecordings } from '../recorded-runs.ts';
import { focusedText, openDesk, pressUntil } from './desk-page.ts';

const app = builtApp();

/** Pairs a watch, which reports once if `report` is given. */
async function pairWatch({ rest, url }: AppServer, device_name: string, report?: string): Promise<void> {
  const code = await newCode(rest, 'wearable');
  const device = { code, device_id: randomUUID(), device_name, device_kind: 'wearable' };
  const { body } = await rest.send<{ token: string }>('POST', '/auth/pair', device);
  if (report === undefined) return;
  const headers = { Authorization: `Bearer ${body.token}`, 'Gemba-Protocol': '1', 'Gemba-Device': report };
  expect((await fetch(`${url}/api/v1/sync/pull`, { headers })).status).toBe(200);
}

/** Copies a paired device in the database: pairing hundreds of devices would take a tenth of a second for each. */
async function copyDevice({ dataDir }: AppServer, name: string, copies: number): Promise<void> {
  const database = await openDatabase(join(dataDir, databaseFileName), { busyMsMax: 30_000, synchronous: 'OFF' });
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO devices (account_id, id, list_id, name, kind, paired_at, code_hash)
     SELECT account_id, substr(id, 1, 32) || (1000 + n), substr(list_id, 1, 32) || (1000 + n), 'Watch ' || n,
       kind, paired_at, code_hash || n FROM devices, numbers WHERE name = ?`,
    copies,
    name,
  );
  database.close();
}

test('[APP-305] [APP-306] of 500 devices an engineer finds those with a problem by keyboard', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, shortRecording);
  await pairWatch(server, 'Gate', 'pending=4, oldest=90000');
  await pairWatch(server, 'Oven', 'pending=0, app="0.0.1"');
  await copyDevice(server, 'Oven', 497);
  const page = await openDesk(server);
  const { keyboard } = page;
  await page.goto(`${server.url}/desk/account`);
  await page.getByText('2 devices have a problem').waitFor();
  await page.getByText('2 devices have a problem').click();
  await page.getByText('500 of 500 devices').waitFor();
  const list = page.getByRole('list', { name: 'Devices' });
  const rows = list.getByRole('listitem');
  expect(await rows.first().innerText()).toMatch(/^Gate\n.*\nSync is stuck · 4 unsent/s);
  expect(await rows.count()).toBeLessThan(60);
  await expectNoViolationsInOneScheme(page);

  await keyboard.press('/');
  await keyboard.type('watch');
  await page.getByText('499 of 500 devices').waitFor();
  await pressUntil(page, 'Tab', /^All \(500\)/);
  await keyboard.type('Needs');
  await page.getByText('1 of 500 devices').waitFor();
  await expectNoViolationsInOneScheme(page);
  await keyboard.press('Escape');
  await keyboard.press('j');
  expect(await focusedText(page)).toMatch(/^Oven/);
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Oven' }).waitFor();
  await keyboard.press('Escape');

  await page.getByLabel('Search devices').fill('');
  await page.getByLabel('Status').selectOption('All (500)');
  await page.getByLabel('Sort by').selectOption('Name');
  await keyboard.press('Escape');
  await expect.poll(() => rows.nth(3).innerText()).toMatch(/^Watch 1\n/);
  // The rows come as the focus scrolls to them.
  await pressUntil(page, 'j', /^Watch 40/);
  expect(await rows.count()).toBeLessThan(60);
});
