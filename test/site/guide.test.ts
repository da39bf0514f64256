/** The site as the server has it, over HTTP and in a browser. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../server/server.ts';
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
    const above = basename(folder);
    for (const path of [
      '../../package.json',
      '%2e%2e/%2e%2e/package.json',
      '..%2f..%2fpackage.json',
      '..\\..\\package.json',
      `../${above}/index.html`,
      `%2e%2e/${above}/index.html`,
      './index.html',
      'spec/../index.html',
      '/index.html',
      'files',
      'files/',
      'none.html',
      '/',
    ]) {
      expect([path, await statusOfRaw(`/docs/guide/${path}`)]).toEqual([path, 404]);
    }
    expect(await statusOfRaw('/docs/guide/index.html')).toBe(200);
    expect((await fetch(`${server.url}/docs/guide/`, { method: 'POST' })).status).toBe(404);
  });

  test('[SITE-14] a browser keeps a picture for a year by the hash in its name, and asks for all else again', async () => {
    const names = await readdir(join(folder, 'files'));
    expect(names.filter((name) => !/-[0-9a-f]{8}\.\w+$/.test(name))).toEqual([]);
    const picture = names.find((name) => name.endsWith('.webp'))!;
    const bytes = await readFile(join(folder, 'files', picture));
    expect(picture).toContain(hashOf(bytes).slice(0, 8));
    for (const [path, caching] of [
      [`files/${picture}`, 'public, max-age=31536000, immutable'],
      ['', 'no-cache'],
      ['site.css', 'no-cache'],
      ['search-records.js', 'no-cache'],
      ['worker.js', 'no-cache'],
    ]) {
      const { headers } = await fetch(`${server.url}/docs/guide/${path}`);
      expect([path, headers.get('Cache-Control')]).toEqual([path, caching]);
    }
  });

  test('[SITE-9] until the guide is built its address says how, and each build is there without another start', async () => {
    const guideDir = join(await makeFolder(), 'site');
    const bare = await testServer({ guideDir });
    onTestFinished(() => bare.remove());
    const home = `${bare.url}/docs/guide/`;
    for (const path of ['', 'worker.html']) {
      const missing = await fetch(home + path, { headers: { Accept: 'text/html' } });
      expect([missing.status, missing.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
      expect(await missing.text()).toContain('<code>npm run site</code>');
    }
    const problem = await fetch(home);
    const detail: unknown = expect.stringContaining('npm run site');
    expect([problem.status, await problem.json()]).toMatchObject([404, { code: 'not_found', detail }]);

    for (const title of ['first', 'second']) {
      await rm(guideDir, { recursive: true, force: true });
      await mkdir(guideDir);
      for (const name of [title, 'unread', 'index'])
        await writeFile(join(guideDir, `${name}.html`), `${name} ${title}`);
      expect(await (await fetch(home)).text()).toBe(`index ${title}`);
      expect(await (await fetch(`${home}${title}.html`)).text()).toBe(`${title} ${title}`);
    }
    expect((await fetch(`${home}first.html`)).status).toBe(404);
    // A build that replaces the folder removes files that the server has listed.
    await rm(join(guideDir, 'unread.html'));
    expect((await fetch(`${home}unread.html`)).status).toBe(404);
  });

  test('[SITE-16] a server for the API alone has no guide', async () => {
    const dataDir = await makeFolder();
    const shown = async (webDir: string | false) => {
      const { url, close } = await openServer({ dataDir, port: 0, webDir });
      const reference = await (await fetch(`${url}/docs`)).text();
      const moved = await fetch(`${url}/docs/guide`, { redirect: 'manual' });
      await close();
      return [moved.status, reference.includes('href="/docs/guide/"')];
    };
    expect(await shown(join(dataDir, 'app'))).toEqual([308, true]);
    expect(await shown(false)).toEqual([404, false]);
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

  /** Sends the path as it is, which `fetch` would normalize. */
  const statusOfRaw = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: server.port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-guide-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Types into the search, and waits for hits. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text);
  await page.getByRole('option').first().waitFor({ timeout: waitMsMax });
}

/** How far below the top of the viewport the heading is to which the address leads. */
const topOfTarget = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top ?? Infinity);

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
