/** A page before its code arrives, and before the device is paired. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { appServer, newCode } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, openUnwatchedPage, pair } from '../devices.ts';
import { inPage } from '../../in-page.ts';
import { button, heading, join, section, status } from '../locators.ts';

const app = builtApp();

const faces = [
  ['/', 'Pair this phone', 'phone'],
  ['/watch', 'Pair this watch', 'wearable'],
  ['/desk', 'Pair this computer', 'desk'],
] as const;

test.each(faces)(
  '[APP-324] [APP-543] unpaired, %s asks for no data and leaves the console clean',
  async (path, title, kind) => {
    const server = await appServer(app.folder);
    const page = await openUnwatchedPage();
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(server.url + path);
    await heading(page, title).waitFor();
    await page.getByLabel('Pairing code').fill(await newCode(server.rest, kind));
    await join(page);
    await page.getByRole('heading', { name: /^(?:Maps|Record)$/ }).waitFor();
    expect(asked.find((name) => name.startsWith('/api/'))).toMatch(/^\/api\/v1\/auth\//);
    expect(asked.some((name) => /^\/assets\/desk-.*\.js$/.test(name))).toBe(kind === 'desk');
    expect(messages).toEqual([]);
  },
);

test.each(faces)('[APP-325] %s shows the logo and the name while its code is on the way', async (path, title) => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let letGo!: () => void;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await isLetGo;
    await route.continue();
  });
  await page.goto(server.url + path, { waitUntil: 'commit' });
  await expect.poll(() => inPage(page, splashMs)).toBe(300);
  await page.getByText('Gemba', { exact: true }).waitFor();
  expect(await page.locator('.splash svg').boundingBox()).toMatchObject({ width: 64, height: 64 });
  expect(asked.filter((name) => name.startsWith('/icons/'))).toEqual([]);
  letGo();
  await heading(page, title).waitFor();
  expect(await page.locator('.splash').count()).toBe(0);
});

/** Returns how long the splash stays hidden, told by its animation at the last moment before and at the first after. */
function splashMs(): number | undefined {
  const splash = document.querySelector('.splash');
  const [animation] = splash?.getAnimations() ?? [];
  if (!splash || !animation) return undefined;
  animation.pause();
  const visibilityAt = (ms: number) => {
    animation.currentTime = ms;
    return getComputedStyle(splash).visibility;
  };
  const delayMs = animation.effect?.getTiming().delay ?? 0;
  const isHiddenUntil = visibilityAt(delayMs - 1) === 'hidden' && visibilityAt(delayMs + 1) === 'visible';
  animation.play();
  return isHiddenUntil ? delayMs : undefined;
}

test.each(faces)('[APP-326] the bars of the browser have the ground of %s', async (path, title) => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  await page.goto(server.url + path);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await heading(page, title).waitFor();
    const [named, ground] = await inPage(page, () => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
      const probe = document.createElement('i');
      probe.style.setProperty('color', metas.find(({ media }) => matchMedia(media).matches)!.content);
      document.body.append(probe);
      return [getComputedStyle(probe).color, getComputedStyle(document.documentElement).backgroundColor];
    });
    expect([colorScheme, named]).toEqual([colorScheme, ground]);
  }
});

test('[APP-539] the first screen stands still while the app opens, and a screen after a navigation rises into its place', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(noteAnimatedScreens);
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  expect(await inPage(page, animatedScreens)).toEqual([]);
  await section(page, 'Record').click();
  await heading(page, 'Record').waitFor();
  await expect.poll(() => inPage(page, animatedScreens)).toEqual(['rise']);
});

interface PageWithAnimatedScreens {
  animatedScreens: string[];
}

const animatedScreens = () => (globalThis as unknown as PageWithAnimatedScreens).animatedScreens;

function noteAnimatedScreens(): void {
  const names: string[] = [];
  (globalThis as unknown as PageWithAnimatedScreens).animatedScreens = names;
  document.addEventListener('animationstart', ({ target, animationName }) => {
    if ((target as Element).matches('main')) names.push(animationName);
  });
}

test('[APP-544] [APP-545] a map that a person opens is drawn once, and its heading leaves the focus to a control that has it', async () => {
  const server = await appServer(app.folder);
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Press line' });
  const { id, name } = body;
  const { page } = await openDevice();
  await pair(page, `${server.url}/pair#${await newCode(server.rest, 'phone')}`);
  await page.getByText(name).click();
  await button(page, 'Record').waitFor();
  await page.goBack();
  await page.getByText(name).waitFor();
  expect(await inPage(page, openMap, { id, focused: undefined })).toEqual({ drawn: 1, focus: name });
  await page.goBack();
  await page.getByText(name).waitFor();
  const focused = '.screen .button-primary';
  expect(await inPage(page, openMap, { id, focused })).toEqual({ drawn: 1, focus: 'Record' });
});

/** Opens the map from the list, and focuses the control as soon as it is drawn. */
async function openMap({ id, focused }: { id: string; focused: string | undefined }) {
  let drawn = 0;
  const isDrawn = new Promise<void>((resolve) => {
    new MutationObserver((records) => {
      const added = records.flatMap((record) => [...record.addedNodes]);
      drawn += added.filter((node) => node instanceof HTMLElement && node.matches('main.screen')).length;
      if (!document.querySelector('.screen .button-primary')) return;
      if (focused !== undefined) document.querySelector<HTMLElement>(focused)?.focus();
      resolve();
    }).observe(document.body, { childList: true, subtree: true });
  });
  document.querySelector<HTMLElement>(`a[href="/maps/${id}"]`)?.click();
  await isDrawn;
  const nextTask = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await nextTask();
  await nextTask();
  return { drawn, focus: document.activeElement?.textContent };
}
