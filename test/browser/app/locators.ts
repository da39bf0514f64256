/** Finds elements by role and name, as people and screen readers do. */
import type { Locator, Page } from 'playwright-core';

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
export const status = (page: Page, text: string): Locator =>
  page.getByRole('status', { name: 'Sync' }).getByText(text, { exact: true });
/** The recorder's button for the next step of this name. */
export const nextStep = (page: Page, name: string): Locator => button(page, `Next: ${name}`);
/** Finishes by the keyboard, which needs no hold. A key on a disabled button would be lost, so it waits for the first step. */
export const finish = (page: Page, name = 'Finish'): Promise<void> =>
  page.getByRole('button', { name, exact: true, disabled: false }).press('Enter');
/** Waits as long as a worker's second tap takes: an earlier one counts as an accident. */
export const atWorkersPace = (page: Page): Promise<void> => page.waitForTimeout(300);
/** A section in the bar at the bottom of a phone. */
export const section = (page: Page, name: string): Locator => page.getByRole('navigation').getByRole('link', { name });

/** Pairs with the code in the form, and confirms the account. */
export async function join(page: Page): Promise<void> {
  await button(page, 'Pair').click();
  await button(page, 'Join').click();
}

/** Makes a map, from the phone's list of maps. */
export async function createMap(page: Page, name: string): Promise<void> {
  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill(name);
  await button(page, 'Create').click();
  await heading(page, name).waitFor();
}

/** Records one step, from the phone's screen of a map. */
export async function recordOneStep(page: Page): Promise<void> {
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await finish(page);
}

/** Opens the screen of devices, from any section of the phone. */
export async function openDevices(page: Page): Promise<void> {
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await heading(page, 'Devices').waitFor();
}

/** Chooses an action on a map, from the map's screen. */
export async function mapAction(page: Page, name: string): Promise<void> {
  await button(page, 'More').click();
  await button(page, name).click();
}
