/** The screen of API keys. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ApiKey, NewApiKeyResult } from '../../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { restClient } from '../../../device/test-server.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openPhone } from '../recorded-runs.ts';
import { button, heading, section } from '../locators.ts';

const app = builtApp();

const row = (page: Page, list: 'API keys' | 'Revoked', text: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });

test('[APP-105] [APP-106] [APP-140] a phone lists the API keys, makes one that it shows once, and asks before it revokes one', async () => {
  const server = await appServer(app.folder);
  await server.rest.send('POST', '/maps', { name: 'Saw' });
  const page = await openPhone(server);
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await row(page, 'API keys', 'First key')
    .getByText(/^gk_….{4} · used /)
    .waitFor();
  await expectNoViolationsInOneScheme(page);

  await button(page, 'New key').click();
  await button(page, 'Create key').click();
  await page.getByText('Enter the name of the program.').waitFor();
  await page.getByLabel('Key name').fill('ERP');
  await page.getByLabel('Read everything').uncheck();
  await button(page, 'Create key').click();
  await page.getByText('Select at least one permission.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByLabel('Read everything').check();
  await button(page, 'Create key').click();
  await heading(page, 'ERP is ready').waitFor();
  const secret = (await page.getByRole('dialog').getByText(/^gk_/).textContent())!;
  await expectNoViolationsInOneScheme(page);
  const erp = restClient(server.url, secret);
  expect(await erp.list<MapRecord>('/maps')).toMatchObject([{ name: 'Saw' }]);
  await button(page, 'Done').click();
  await row(page, 'API keys', 'ERP').getByText(secret.slice(-4)).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  const keys = () => server.rest.list<ApiKey>('/keys');
  expect(await keys()).toMatchObject([{ name: 'ERP', scopes: ['read'] }, { name: 'First key' }]);

  await row(page, 'API keys', 'ERP').getByRole('button').click();
  await page.getByRole('listitem').getByText('Read everything').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Revoke').click();
  await heading(page, 'Revoke ERP?').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Cancel').click();
  expect(await keys()).toMatchObject([{ revoked_at: null }, { revoked_at: null }]);
  await row(page, 'API keys', 'ERP').getByRole('button').click();
  await button(page, 'Revoke').click();
  await heading(page, 'Revoke ERP?').waitFor();
  await button(page, 'Revoke').click();
  await row(page, 'Revoked', 'ERP').waitFor();
  await expect(erp.list('/maps')).rejects.toThrow('401');

  await row(page, 'API keys', 'First key').getByRole('button').click();
  await button(page, 'Revoke').click();
  await heading(page, 'Revoke First key?').waitFor();
  await button(page, 'Revoke').click();
  await page.getByText('This is the last key that can manage devices and keys.').waitFor();
  await button(page, 'Cancel').click();

  await server.kill();
  await page.reload();
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await server.start();
  await inPage(page, () => dispatchEvent(new Event('online')));
  await row(page, 'API keys', 'First key').waitFor();
});

test('[APP-110] [APP-111] a phone tells who made a key, and, before it revokes a device, how many keys go with it', async () => {
  const server = await appServer(app.folder);
  const { body } = await server.rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  const lost = { device_id: crypto.randomUUID(), device_name: 'Lost phone', device_kind: 'phone' };
  const paired = await server.rest.send<{ token: string }>('POST', '/auth/pair', { code: body.code, ...lost });
  const thief = restClient(server.url, paired.body.token);
  const made = await thief.send<NewApiKeyResult>('POST', '/keys', { name: 'Leak', scopes: ['read', 'admin'] });
  await restClient(server.url, made.body.api_key).send('POST', '/keys', { name: 'Second leak', scopes: ['read'] });

  const page = await openPhone(server);
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  for (const [name, maker] of [
    ['Second leak', `by the key Leak (gk_…${made.body.key.last_four})`],
    ['First key', 'by the operator'],
    ['Leak', 'by Lost phone'],
  ] as const) {
    await row(page, 'API keys', name).getByRole('button').last().click();
    await page.getByRole('dialog').getByText(maker).waitFor();
    await expectNoViolationsInOneScheme(page);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Lost phone').click();
  await button(page, 'Revoke').click();
  await page.getByText('The 2 API keys that it created are revoked too').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Revoke').click();
  await heading(page, 'Revoked').waitFor();
  await expect(thief.list('/maps')).rejects.toThrow('401');
  const left = (await server.rest.list<ApiKey>('/keys')).filter(({ revoked_at }) => revoked_at === null);
  expect(left).toMatchObject([{ name: 'First key' }]);
});
