/** Pictures of the sync status: safe, on the phone alone, handed over, refused. They start during a recording. */
import type { MapRecord } from '../../../shared/schema/map.ts';
import { phoneSize } from '../app/devices.ts';
import type { Screen } from './screen.ts';
import { atWorkersPace, button, finish, heading, section, status } from '../app/locators.ts';

export const syncScreens: Screen[] = [
  {
    name: 'phone/sync/sync',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Other step, note or discard').click();
      await button(page, 'Discard recording').click();
      await section(page, 'Sync').click();
      await page.getByText('Connected.').waitFor();
      await status(page, 'All safe on the server').waitFor();
    },
  },
  {
    name: 'phone/sync/settings',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByRole('group', { name: 'Runs on this device' }).waitFor();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    },
  },
  {
    name: 'phone/sync/sync-offline',
    size: phoneSize,
    go: async ({ page }) => {
      await page.context().setOffline(true);
      await section(page, 'Maps').click();
      await page.getByText('Goods receipt').click();
      await button(page, 'Record').click();
      await button(page, 'First step').click();
      await atWorkersPace(page);
      await button(page, 'Next step').click();
      await finish(page);
      await page.getByRole('link', { name: '1 run' }).waitFor();
      await section(page, 'Sync').click();
      await page.getByText('No connection to the server.').waitFor();
    },
  },
  {
    name: 'phone/sync/hand-over',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByRole('link', { name: 'Hand over to a phone' }).click();
      await page.getByText('1 recording', { exact: true }).waitFor();
    },
  },
  {
    name: 'phone/sync/hand-over-code',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Show my code').click();
      await page.getByRole('img', { name: 'QR code for the other phone' }).waitFor();
    },
  },
  {
    name: 'phone/sync/carry',
    size: phoneSize,
    go: async ({ page }) => {
      await section(page, 'Sync').click();
      await page.getByRole('link', { name: 'Carry for others' }).click();
      await button(page, 'Open the camera').waitFor();
    },
  },
  {
    name: 'phone/sync/attention',
    size: phoneSize,
    go: async ({ page, rest }) => {
      await section(page, 'Sync').click();
      // The map is deleted on the server before the device sends its recording.
      const maps = await rest.list<MapRecord>('/maps');
      await rest.send('POST', `/maps/${maps.find(({ name }) => name === 'Goods receipt')!.id}/delete`);
      await page.context().setOffline(false);
      await button(page, 'Sync now').click();
      await status(page, '1 item needs attention').click();
      await heading(page, 'Recording').waitFor();
    },
  },
  {
    name: 'phone/sync/attention-solved',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Restore the map').click();
      await heading(page, 'Nothing needs attention').waitFor();
      await status(page, 'All safe on the server').waitFor();
    },
  },
];
