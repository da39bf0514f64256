/** Pictures of pairing and of the devices of an account, from the phone's sections on. */
import { phoneSize } from './devices.ts';
import type { Screen } from './screen.ts';
import { button, heading, section } from './seen.ts';

export const deviceScreens: Screen[] = [
  {
    name: 'phone-devices',
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
    name: 'phone-device',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByText('Watch of the early shift').click();
      await heading(page, 'Watch of the early shift').waitFor();
    },
  },
  {
    name: 'phone-revoke',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Revoke').click();
      await heading(page, 'Revoke Watch of the early shift?').waitFor();
    },
  },
  {
    name: 'phone-pair-watch',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Cancel').click();
      await page.getByRole('link', { name: 'Pair a watch' }).click();
      await page.getByRole('img', { name: 'QR code of the link that pairs' }).waitFor();
    },
  },
];
