/** Two phones whose cameras see each other's screens. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolations } from '../accessibility.ts';
import { newCode, type AppServer } from '../app-server.ts';
import { emptyView, type View } from '../camera-film.ts';
import { openDevice, pair, phoneSize } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextCycle, nextStep, section } from '../locators.ts';

export interface FilmingPhone {
  page: Page;
  /** The picture before the camera of this phone. */
  view: View;
}

export interface PhoneOptions {
  languages?: readonly string[];
  flags?: readonly string[];
  hasCamera?: boolean;
}

export async function openPhone(
  link: string,
  { languages, flags = [], hasCamera = true }: PhoneOptions = {},
): Promise<FilmingPhone> {
  const view = await emptyView();
  onTestFinished(() => view.remove());
  const camera = [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${view.path}`,
  ];
  const { page } = await openDevice(phoneSize, {
    flags: hasCamera ? [...camera, ...flags] : flags,
    ...(languages ? { languages } : {}),
  });
  await pair(page, link);
  return { page, view };
}

/** Lets no request reach the server, as in a hotspot without internet: the phones still reach each other. */
export async function cutOff(page: Page): Promise<() => Promise<void>> {
  const requests = '**/api/**';
  await page.context().route(requests, (route) => route.abort('internetdisconnected'));
  return () => page.context().unroute(requests);
}

/** Opens a phone that recorded while it had no server. */
export async function giverWithRuns(server: AppServer, recordings: number): Promise<FilmingPhone & { mapId: string }> {
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Saw' });
  await server.rest.send('POST', `/maps/${body.id}/stages`, { stage: 'Load', work_type: 'valuable' });
  const phone = await openPhone(server.link);
  const { page } = phone;
  await page.getByText('Saw').waitFor();
  await cutOff(page);
  await record(page, recordings);
  return { ...phone, mapId: body.id };
}

/** Records cycles of one step. */
async function record(page: Page, recordings: number): Promise<void> {
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  for (let cycles = 1; cycles < recordings; cycles++) {
    await atWorkersPace(page);
    await nextCycle(page, 'Load').click();
  }
  await atWorkersPace(page);
  await finish(page);
  await button(page, 'Record').waitFor();
}

/** Makes the link that pairs a phone of another account. */
export async function linkOfAnother(server: AppServer): Promise<string> {
  return `${server.url}/pair#${await newCode(await server.newAccount(1), 'phone')}`;
}

export const shownCode = (page: Page) => page.getByRole('img', { name: 'QR code for the other phone' });

export async function openHandOver(page: Page): Promise<void> {
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Hand over to a phone' }).click();
}

export async function openCarry(page: Page): Promise<void> {
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Carry for others' }).click();
}

const buttonPxMin = 64;

/** Checks the step that the page shows: for a finger in a glove, and by axe. */
export async function expectUsable(page: Page): Promise<void> {
  const buttons = page.locator('main .meeting-button');
  const heights = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights), page.url()).toBeGreaterThanOrEqual(buttonPxMin);
  expect(await page.locator('main .button-primary').count(), page.url()).toBeLessThanOrEqual(1);
  await expectNoViolations(page);
}

/** Lets each phone read the code of the other, as two people do. Starts before the first code. */
export async function connect(giver: FilmingPhone, taker: FilmingPhone): Promise<void> {
  await button(giver.page, 'Show my code').click();
  await readEachOther(giver, taker);
}

/** Starts where the giver shows its code. */
export async function readEachOther(giver: FilmingPhone, taker: FilmingPhone): Promise<void> {
  await shownCode(giver.page).waitFor();
  await taker.view.show(shownCode(giver.page));
  await openCarry(taker.page);
  await button(taker.page, 'Open the camera').click();
  await shownCode(taker.page).waitFor();
  await giver.view.show(shownCode(taker.page));
  await button(giver.page, 'Read its code').click();
}
