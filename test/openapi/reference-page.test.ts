import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { allProblemKinds } from '../../shared/protocol/problems/all-problems.ts';
import { openBrowser, createUserDataDir, type Browser } from '../browser/browser.ts';
import { testServer, type TestServer } from '../device/test-server.ts';
import { waitMsMax } from '../timeouts.ts';
import { placesOf } from './shapes.ts';

describe('the reference in a browser', () => {
  let server: TestServer;
  let folder: Awaited<ReturnType<typeof createUserDataDir>>;
  let browser: Browser;
  /** The tests share a page, since the reference takes ten seconds of the processor to load. */
  let reference: Page;
  /** Complaints of the page, and its requests to other hosts. */
  const faults: string[] = [];
  beforeAll(async () => {
    [server, folder] = await Promise.all([testServer(), createUserDataDir()]);
    browser = await openBrowser(folder.path);
    reference = await open('#rate_limited');
  });
  afterAll(async () => {
    await browser.kill();
    await folder.remove();
    await server.remove();
  });

  async function open(hash: string): Promise<Page> {
    const page = await browser.context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) faults.push(request.url());
    });
    await page.goto(`${server.url}/docs${hash}`);
    await page.getByRole('heading', { name: 'Gemba', exact: true }).waitFor();
    return page;
  }

  test('[OPENAPI-9] [OPENAPI-8] the type of each problem leads to its explanation', async () => {
    await expect.poll(() => isEntryInView(reference, 'rate_limited')).toBe(true);
    for (const code of [...Object.keys(allProblemKinds), 'value_add']) {
      await reference.evaluate((id) => void (location.hash = id), code);
      await expect.poll(() => isEntryInView(reference, code), { message: code }).toBe(true);
    }
    expect(faults).toEqual([]);
  });

  test('[OPENAPI-9] [OPENAPI-14] each operation has its anchor, a curl command and an answer', async () => {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDocument;
    for (const { operation } of placesOf(document)) {
      const anchor = `tag/${operation.tags[0]?.toLowerCase()}/${operation.operationId}`;
      const section = reference.locator(`[id="api-1/${anchor}"]`);
      await section.evaluate((element) => element.scrollIntoView());
      await expect.poll(() => section.innerText(), { message: anchor }).toMatch(/curl[^]*\n20[014]\b/);
    }
    expect(faults).toEqual([]);
  });

  test('[OPENAPI-18] without scripts every problem is shown', async () => {
    const plain = await browser.context.browser()!.newContext({ javaScriptEnabled: false });
    const plainPage = await plain.newPage();
    await plainPage.goto(`${server.url}/docs`);
    for (const code of Object.keys(allProblemKinds)) {
      expect([code, await plainPage.locator(`#${code}`).isVisible()]).toEqual([code, true]);
    }
    await plain.close();
  });

  test('[OPENAPI-8] it fits a phone', async () => {
    await reference.evaluate(() => void (location.hash = 'validation_failed'));
    await reference.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(() => reference.evaluate(() => document.documentElement.scrollWidth), { timeout: waitMsMax })
      .toBeLessThanOrEqual(390);
  });
});

/** Whether the beginning of an entry is in the viewport. */
const isEntryInView = (page: Page, id: string): Promise<boolean> =>
  page.evaluate((entry) => {
    const { top, height } = document.getElementById(entry)!.getBoundingClientRect();
    return height > 0 && top >= 0 && top < innerHeight;
  }, id);
