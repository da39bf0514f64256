/** The main button of the screen that carries, on a slow phone. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button } from '../locators.ts';
import { openPhone } from './phones.ts';

const app = builtApp();

declare global {
  interface Window {
    /** The looks of the button from its first frame on, each once. */
    looks: Set<string>;
  }
}

test('[APP-567] "Open the camera" is enabled and has the colour of a main button from its first frame on', async () => {
  const server = await appServer(app.folder);
  const { page } = await openPhone(server.link);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript(() => {
    window.looks = new Set();
    const look = () => {
      for (const one of document.querySelectorAll<HTMLButtonElement>('main .meeting-button')) {
        const { backgroundColor, opacity } = getComputedStyle(one);
        window.looks.add(`${one.disabled ? 'disabled' : 'enabled'} ${backgroundColor} ${opacity}`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${server.url}/carry`);
  await button(page, 'Open the camera').waitFor();
  await page.getByRole('status', { name: 'Sync' }).getByText('All safe on the server', { exact: true }).waitFor();
  expect(await inPage(page, () => [...window.looks])).toEqual(['enabled rgb(31, 69, 184) 1']);
  await button(page, 'Open the camera').click();
  await page.locator('video').waitFor();
});
