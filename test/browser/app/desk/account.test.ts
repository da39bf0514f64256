/** The account screen of a desk and a phone. Real server process, real Chromium. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { createMap, section, status } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';
import { openDesk, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

test('[APP-224] [APP-225] the account has its plan and limits, and unsent work goes by a file to another device', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...runsWithOutlier);
  const desk = await openDesk(server);
  const phone = await openPhone(server);
  await section(phone, 'Sync').click();
  await phone.getByRole('link', { name: 'Account' }).click();
  const facts = () => phone.locator('.account-facts').innerText();
  await phone.getByText('First account').waitFor();
  expect((await facts()).split('\n').filter(Boolean)).toEqual([
    'Name',
    'First account',
    'Plan',
    'Team',
    'Phones (each takes a seat)',
    '1, no limit',
    'Maps',
    '1, no limit',
    'Devices',
    '2',
  ]);
  await phone.getByText('All work of this device is on the server.').waitFor();
  await expectNoViolationsInOneScheme(phone);

  await phone.context().setOffline(true);
  await section(phone, 'Maps').click();
  await createMap(phone, 'Paint shop');
  await section(phone, 'Sync').click();
  await phone.getByRole('link', { name: 'Account' }).click();
  await phone.getByText('1 change only on this device').waitFor();
  await expectNoViolationsInOneScheme(phone);
  const downloading = phone.waitForEvent('download');
  await phone.getByRole('button', { name: 'Save as a file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^gemba-unsent-\d{4}-\d\d-\d\d\.json$/);
  const buffer = await readFile(await download.path());

  await desk.getByRole('link', { name: 'Account', exact: true }).click();
  await desk.getByText('First account').waitFor();
  await expectNoViolationsInOneScheme(desk);
  const file = desk.getByLabel('Open a file').and(desk.locator('input'));
  const unsent = { name: 'unsent.json', mimeType: 'application/json', buffer };
  await file.setInputFiles({ ...unsent, buffer: Buffer.from('no work') });
  await desk.locator('.toast').waitFor();
  await file.setInputFiles(unsent);
  await desk.getByText('1 change added').waitFor();
  await status(desk, 'All safe on the server').waitFor();
  await expect
    .poll(async () => (await server.rest.list<MapRecord>('/maps')).map(({ name }) => name).toSorted())
    .toEqual(['Paint shop', 'Saw']);
  await file.setInputFiles(unsent);
  await desk.getByText('This device has the work of the file already.').waitFor();
});
