/** The site as the server has it, over HTTP and in a browser. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser, workerNeeded } from '../browser/app/shared-browser.ts';
import { testServer, type TestServer } from '../device/test-server.ts';
import { waitMsMax } from '../timeouts.ts';
import { builtSite } from './built-site.ts';

describe('the guide on a server', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = await builtSite();
    server = await testServer({ guideDir: folder });
  });
  afterAll(() => server.remove());

  test('[SITE-6] it stands below /docs, and the two lead to each other', async () => {
    const moved = await fetch(`${server.url}/docs/guide`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/docs/guide/']);
    const home = await fetch(`${server.url}/docs/guide/`);
    expect([home.status, home.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await home.text()).toContain('href="../../docs"');
    const reference = await (await fetch(`${server.url}/docs`)).text();
    expect(reference).toContain('<a href="/docs/guide/">');
    expect(reference).toContain('id="validation_failed"');
  });

  test('[SITE-7] its files are compressed, asked for again by ETag, and under the policy of the app', async () => {
    const policy = (await fetch(`${server.url}/healthz`)).headers.get('Content-Security-Policy');
    for (const path of ['index.html', 'search.js', 'search-records.js', 'site.css', 'worker.js']) {
      const url = `${server.url}/docs/guide/${path}`;
      const first = await fetch(url, { headers: { 'Accept-Encoding': 'br' } });
      expect([path, first.headers.get('Content-Encoding')]).toEqual([path, 'br']);
      expect(first.headers.get('Content-Security-Policy')).toBe(policy);
      expect(hashOf(Buffer.from(await first.arrayBuffer()))).toBe(hashOf(await readFile(join(folder, path))));
      const headers = { 'Accept-Encoding': 'br', 'If-None-Match': first.headers.get('ETag')! };
      expect((await fetch(url, { headers })).status).toBe(304);
    }
    expect(policy).not.toContain('unsafe');
  });

  test('[SITE-8] nothing outside its folder is to be had, and an unknown page is 404', async () => {
    for (const path of [
      '../../package.json',
      '%2e%2e/%2e%2e/package.json',
      '..%2f..%2fpackage.json',
      'none.html',
      '/',
    ]) {
      const response = await fetch(`${server.url}/docs/guide/${path}`);
      expect([path, response.status]).toEqual([path, 404]);
    }
    expect((await fetch(`${server.url}/docs/guide/`, { method: 'POST' })).status).toBe(404);
  });

  test('[SITE-9] without a built guide the reference says how to build it', async () => {
    const bare = await testServer({ guideDir: join(folder, 'none') });
    expect((await fetch(`${bare.url}/docs/guide/`)).status).toBe(404);
    const reference = await (await fetch(`${bare.url}/docs`)).text();
    expect(reference).toContain('<code>npm run site</code>');
    expect(reference).not.toContain('href="/docs/guide/"');
    await bare.remove();
  });

  test('[SITE-10] [SITE-11] [SITE-12] a reader searches, opens a hit, and reads on when the server is gone', async () => {
    const context = await sharedBrowser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => request.url().startsWith(server.url) || faults.push(request.url()));

    await page.goto(`${server.url}/docs/guide/`);
    await page.evaluate((needed) => void dispatchEvent(new Event(needed)), workerNeeded);
    await search(page, 'webhook sign');
    const hit = await page.getByRole('option').first().getAttribute('href');
    expect(hit).toMatch(/^http.*\/docs\/guide\/[a-z]+\.html#/);
    await page.keyboard.press('Enter');
    await page.waitForURL(hit!);
    await expect.poll(() => topOfTarget(page)).toBeLessThan(200);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);

    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await server.close();
    await page.goto(`${server.url}/docs/guide/worker.html`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Record work');
    await search(page, 'takt');

    // A disk has neither a server nor a worker.
    await page.goto(pathToFileURL(join(folder, 'spec/push.html')).href);
    await search(page, 'takt');
    const onDisk = page.getByRole('option').filter({ hasText: 'Lead a team' }).first();
    await onDisk.click();
    await page.waitForURL('file://**/lead.html#*');
  });
});

/** Types into the search, and waits for hits. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text);
  await page.getByRole('option').first().waitFor({ timeout: waitMsMax });
}

/** How far below the top of the viewport the heading is to which the address leads. */
const topOfTarget = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top ?? Infinity);

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
