/** Finds elements by role and name, as people and screen readers do. */
import type { Locator, Page } from 'playwright-core';

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
export const status = (page: Page, text: string): Locator =>
  page.getByRole('status', { name: 'Sync' }).getByText(text, { exact: true });
/** Finds the recorder's button that starts the next step with this name. */
export const nextStep = (page: Page, name: string): Locator => button(page, `Next: ${name}`);
/** Finds the recorder's button that starts the next cycle with this step. */
export const nextCycle = (page: Page, name: string): Locator => button(page, `Next cycle: ${name}`);
/** Finishes by a key, which needs no hold. Waits for the first step, since a disabled button would ignore the key. */
export const finish = (page: Page, name = 'Finish'): Promise<void> =>
  page.getByRole('button', { name, exact: true, disabled: false }).press('Enter');
/** Waits for the time between two taps of a worker. The app ignores a faster tap as an accident. */
export const atWorkersPace = (page: Page): Promise<void> => page.waitForTimeout(300);
/** Taps the button of the next step, no sooner than a worker would. */
export async function tapNext(page: Page, name: string): Promise<void> {
  await atWorkersPace(page);
  await nextStep(page, name).click();
  await heading(page, name).waitFor();
}
/** Starts the next step of a new map, which has a number for a name. */
export async function tapNumberedStep(page: Page, position: number): Promise<void> {
  await atWorkersPace(page);
  await button(page, 'Next step').click();
  await heading(page, `Step ${position}`).waitFor();
}
/** Finds a section's link in the bar at the bottom of a phone. */
export const section = (page: Page, name: string): Locator => page.getByRole('navigation').getByRole('link', { name });

/** Pairs with the code in the form, and confirms the account. */
export async function join(page: Page): Promise<void> {
  await button(page, 'Pair').click();
  await button(page, 'Join').click();
}

/** Creates a map. Starts on the phone's list of maps. */
export async function createMap(page: Page, name: string): Promise<void> {
  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill(name);
  await button(page, 'Create').click();
  await heading(page, name).waitFor();
}

/** Records one step. Starts on the phone's screen of a map. */
export async function recordOneStep(page: Page): Promise<void> {
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await finish(page);
}

/** Opens the screen of devices. Starts in any section of the phone. */
export async function openDevices(page: Page): Promise<void> {
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await heading(page, 'Devices').waitFor();
}

/** Chooses a command of the map's menu. Starts on the map's screen. */
export async function mapAction(page: Page, name: string): Promise<void> {
  await button(page, 'More').click();
  await button(page, name).click();
}
