/** Pictures of the watch, starting at pairing. */
import type { Size } from '../app/devices.ts';
import type { Screen } from './screen.ts';
import { button, finish, heading, nextStep } from '../app/locators.ts';

const roundSize: Size = { width: 240, height: 240 };
const smallestSize: Size = { width: 192, height: 192 };
const tallSize: Size = { width: 368, height: 448 };

export const watchScreens: Screen[] = [
  {
    name: 'watch/pairing/pair',
    size: roundSize,
    go: async ({ page, link }) => {
      await page.clock.install();
      await page.goto(await link('wearable'));
      await heading(page, 'Pair this watch').waitFor();
    },
  },
  {
    name: 'watch/pairing/join',
    size: smallestSize,
    go: async ({ page }) => {
      await button(page, 'Pair').click();
      await heading(page, 'Join Screens?').waitFor();
    },
  },
  {
    name: 'watch/recording/start',
    size: roundSize,
    go: async ({ page }) => {
      await button(page, 'Join').click();
      await button(page, 'Press line').waitFor();
    },
  },
  {
    name: 'watch/recording/record',
    size: roundSize,
    go: async ({ page }) => {
      await button(page, 'Press line').click();
      await nextStep(page, 'Load').click();
      await heading(page, 'Load').waitFor();
      await page.clock.fastForward(43_000);
    },
  },
  {
    name: 'watch/recording/record-small',
    size: smallestSize,
    go: async ({ page }) => {
      await nextStep(page, 'Press').click();
      await nextStep(page, 'Wait for the crane').waitFor();
      await page.clock.fastForward(101_000);
    },
  },
  { name: 'watch/recording/record-tall', size: tallSize, go: async () => undefined },
  {
    name: 'watch/recording/more',
    size: smallestSize,
    go: async ({ page }) => {
      await button(page, 'Other step, note or discard').click();
      await heading(page, 'Which step?').waitFor();
    },
  },
  {
    name: 'watch/recording/new-name',
    size: smallestSize,
    go: async ({ page }) => {
      await button(page, 'New name').click();
      await page.getByLabel('Name of the next step').fill('Oil the die');
    },
  },
  {
    name: 'watch/recording/finished',
    size: smallestSize,
    go: async ({ page }) => {
      await button(page, 'Done').click();
      await finish(page);
      await page.getByText('Safe on the server').waitFor();
    },
  },
  {
    name: 'watch/recording/discarded',
    size: smallestSize,
    go: async ({ page }) => {
      await button(page, 'Done').click();
      await button(page, 'Press line').click();
      await nextStep(page, 'Load').click();
      await button(page, 'Other step, note or discard').click();
      await button(page, 'Discard recording').click();
      await heading(page, 'Recording discarded').waitFor();
    },
  },
  {
    name: 'watch/pairing/revoked',
    size: smallestSize,
    go: async ({ page, rest }) => {
      await button(page, 'Done').click();
      const [watch] = await rest.list<{ id: string }>('/devices');
      await rest.send('POST', `/devices/${watch!.id}/revoke`);
      await page.getByRole('link', { name: 'Pair again' }).waitFor();
    },
  },
  {
    name: 'watch/pairing/pair-again',
    size: smallestSize,
    go: async ({ page }) => {
      await page.getByRole('link', { name: 'Pair again' }).click();
      await heading(page, 'Pair this watch').waitFor();
    },
  },
];
