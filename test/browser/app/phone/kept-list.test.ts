/** The list of maps after a visit to another screen. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { heading, section } from '../locators.ts';
import { link, openPhone } from '../recorded-runs.ts';

const app = builtApp();

/** Shows rows in the middle of 80 maps. */
const scrollPx = 2_800;

test('[APP-460] the list of maps keeps its search, its filter and its place while other screens are shown', async () => {
  const server = await appServer(app.folder);
  for (let nth = 1; nth <= 80; nth++) {
    await server.rest.send('POST', '/maps', { name: `Line ${nth}`, state: nth % 2 === 0 ? 'future' : 'current' });
  }
  const page = await openPhone(server);
  const rows = page.getByRole('list', { name: 'Maps' }).getByRole('listitem');
  const search = page.getByLabel('Search maps');
  const scrolledPx = () => inPage(page, () => scrollY);

  const waysBack = [() => link(page, 'Back').click(), () => page.goBack(), () => section(page, 'Maps').click()];

  await inPage(page, (px) => scrollTo(0, px), scrollPx);
  for (const comeBack of waysBack) {
    // Playwright scrolls a row clear of the bars before it clicks.
    await link(page, 'Line 44').hover();
    const leftAtPx = await scrolledPx();
    await link(page, 'Line 44').click();
    await heading(page, 'Line 44').waitFor();
    expect(await scrolledPx()).toBe(0);
    await comeBack();
    await heading(page, 'Maps').waitFor();
    await expect.poll(scrolledPx).toBe(leftAtPx);
  }

  await search.fill('line 4');
  await page.getByLabel('Future', { exact: true }).check();
  await expect.poll(() => rows.count()).toBe(6);
  for (const comeBack of waysBack) {
    await link(page, 'Line 44').click();
    await heading(page, 'Line 44').waitFor();
    await comeBack();
    await heading(page, 'Maps').waitFor();
    expect(await search.inputValue()).toBe('line 4');
    expect(await page.getByLabel('Future', { exact: true }).isChecked()).toBe(true);
    await expect.poll(() => rows.count()).toBe(6);
  }
});
