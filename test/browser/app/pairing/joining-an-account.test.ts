/** A person sees which account a code joins before the code is used. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Device } from '../../../../shared/schema/auth.ts';
import { inPage } from '../../in-page.ts';
import { operatorToken, restClient, type RestClient } from '../../../device/test-server.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize, watchSizes, type Size } from '../devices.ts';
import { reachOf, reachOfText } from '../round-screen.ts';
import { button, heading } from '../locators.ts';

const app = builtApp();

/** Makes an account with this name, and a pairing code for the account. */
async function createAccount({ url }: AppServer, name: string, device_kind: string): Promise<[RestClient, string]> {
  const operator = restClient(url, operatorToken);
  const { body } = await operator.send<{ api_key: string }>('POST', '/admin/accounts', { name, plan: 'team' });
  const rest = restClient(url, body.api_key);
  return [rest, (await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind })).body.code];
}

const codeField = (page: Page) => page.getByLabel('Pairing code');

test.each<['phone' | 'wearable', string, Size, string]>([
  ['phone', '/pair', phoneSize, 'Maps'],
  ['wearable', '/watch/pair', watchSizes[1]!, 'Record'],
])(
  '[APP-100] [APP-133] a %s says whose account it joins and asks, before the code is used',
  async (kind, place, size, home) => {
    const server = await appServer(app.folder);
    const [rest, given] = await createAccount(server, 'Müller & <b>Söhne</b>', kind);
    const { page } = await openDevice(size);
    const pairings: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/pair') && pairings.push(request.url()));
    await page.goto(`${server.url}${place}#${given}`);
    await button(page, 'Pair').click();
    const question = heading(page, 'Join Müller & <b>Söhne</b>?');
    await question.waitFor();
    expect(await question.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectNoViolationsInOneScheme(page);
    await button(page, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    expect(await codeField(page).inputValue()).toBe(given);
    expect([pairings, await rest.list<Device>('/devices')]).toEqual([[], []]);

    await button(page, 'Pair').click();
    await button(page, 'Join').click();
    await heading(page, home).waitFor();
    expect(await rest.list<Device>('/devices')).toMatchObject([{ kind }]);
  },
);

test('[APP-100] a link that is followed while it asks takes the question back', async () => {
  const server = await appServer(app.folder);
  const [, first] = await createAccount(server, 'First', 'phone');
  const [, second] = await createAccount(server, 'Second', 'phone');
  const { page } = await openDevice();
  await page.goto(`${server.url}/pair#${first}`);
  await button(page, 'Pair').click();
  await heading(page, 'Join First?').waitFor();
  await page.goto(`${server.url}/pair#${second}`);
  await heading(page, 'Join First?').waitFor({ state: 'detached' });
  await button(page, 'Pair').click();
  await heading(page, 'Join Second?').waitFor();
  expect(await heading(page, 'Join First?').count()).toBe(0);
});

test('[APP-101] no round screen cuts the question or its buttons, however long the name is', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(watchSizes[0]);
  for (const name of ['Acme', `${'Donaudampfschifffahrtsgesellschaft'.repeat(2)} and ${'sons '.repeat(25)}`.trim()]) {
    const [, given] = await createAccount(server, name, 'wearable');
    await page.goto(`${server.url}/watch/pair#${given}`);
    await page.reload();
    await codeField(page).fill(given);
    await button(page, 'Pair').click();
    const question = heading(page, `Join ${name}?`);
    await question.waitFor();
    for (const size of watchSizes) {
      await page.setViewportSize(size);
      await inPage(page, () => scrollTo(0, 0));
      if (name === 'Acme') {
        expect(await reachOfText(question)).toBeLessThanOrEqual(1);
        expect(await reachOf(button(page, 'Join'))).toBeLessThanOrEqual(1);
      }
      for (const it of [button(page, 'Join'), button(page, 'Cancel')]) {
        await it.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        expect(await reachOf(it)).toBeLessThanOrEqual(1);
        expect((await it.boundingBox())!.height).toBeGreaterThanOrEqual(size.height / 4 - 0.01);
      }
      expect(await inPage(page, () => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    }
    await expectNoViolationsInOneScheme(page);
  }
});
