/** Pictures of pairing and of the devices of an account, starting at the phone's sections. */
import { restClient } from '../../device/test-server.ts';
import { phoneSize } from '../app/devices.ts';
import type { Screen } from './screen.ts';
import { button, heading, section } from '../app/locators.ts';

export const deviceScreens: Screen[] = [
  {
    name: 'phone/devices/devices',
    size: phoneSize,
    go: async ({ page, rest }) => {
      for (const [device_name, device_kind] of [
        ['Watch of the early shift', 'wearable'],
        ['Phone of hall 2, by the gate', 'phone'],
        ['Watch that fell into the oil', 'wearable'],
      ] as const) {
        const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind });
        const device_id = crypto.randomUUID();
        await rest.send('POST', '/auth/pair', { code: body.code, device_id, device_name, device_kind });
        if (device_name.includes('oil')) await rest.send('POST', `/devices/${device_id}/revoke`);
      }
      await section(page, 'Sync').click();
      await page.getByRole('link', { name: 'Devices' }).click();
      await page.getByText('Watch of the early shift').waitFor();
    },
  },
  {
    name: 'phone/devices/device',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByText('Watch of the early shift').click();
      await heading(page, 'Watch of the early shift').waitFor();
    },
  },
  {
    name: 'phone/devices/revoke',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Revoke').click();
      await heading(page, 'Revoke Watch of the early shift?').waitFor();
    },
  },
  {
    name: 'phone/devices/revoke-phone',
    size: phoneSize,
    go: async ({ page, rest }) => {
      const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
      const device = { device_id: crypto.randomUUID(), device_name: 'Phone of the night shift', device_kind: 'phone' };
      const paired = await rest.send<{ token: string }>('POST', '/auth/pair', { code: body.code, ...device });
      const phone = restClient(new URL(page.url()).origin, paired.body.token);
      for (const name of ['ERP', 'Board in hall 2']) await phone.send('POST', '/keys', { name, scopes: ['read'] });
      await button(page, 'Cancel').click();
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByRole('link', { name: 'Devices' }).click();
      await page.getByText('Phone of the night shift').click();
      await button(page, 'Revoke').click();
      await page.getByText('The 2 API keys').waitFor();
    },
  },
  {
    name: 'phone/devices/key',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Cancel').click();
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByText('Board in hall 2').click();
      await page.getByText('by Phone of the night shift').waitFor();
    },
  },
  {
    name: 'phone/devices/pair-watch',
    size: phoneSize,
    go: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByRole('link', { name: 'Pair a watch' }).click();
      await page.getByRole('img', { name: 'QR code of the pairing link' }).waitFor();
    },
  },
];
